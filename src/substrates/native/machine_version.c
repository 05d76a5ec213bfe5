/* machine_version.c - see machine_version.h. Versions stand one behind the other in a range of addresses that
 * is reserved once; a number is where one stands. An index finds them by their fingerprints: open
 * addressing, doubled when it is half full. */
#include "substrates/native/machine_version.h"

#include <string.h>

#include "base/check.h"

#define VERSION_BASE 0x390000000000u
#define VERSION_RANGE ((uint64_t)16 << 30)
#define INDEX_BASE 0x3a0000000000u
#define INDEX_RANGE ((uint64_t)4 << 30)

enum { UNIT = 16, INDEX_FIRST = 1 << 12 };

static uint64_t used;   /* bytes of VERSION_RANGE; 0: nothing is mapped yet */
static uint32_t count;  /* versions */
static uint64_t places; /* of the index, a power of two */

static uint32_t *index_at(uint64_t place) {
    return (uint32_t *)INDEX_BASE + place;
}

static void map_all(void) {
    memory_map(VERSION_BASE, VERSION_RANGE);
    memory_map(INDEX_BASE, INDEX_RANGE);
    used = UNIT; /* number 0 is none */
    places = INDEX_FIRST;
}

struct version *version_at(uint32_t number) {
    return (struct version *)(VERSION_BASE + (uint64_t)number * UNIT);
}

/* Where it stands in the index, or could. */
static uint32_t *place_of(const struct fingerprint *print) {
    uint64_t place = print->word[0] & (places - 1);
    while (*index_at(place) != NO_VERSION &&
           !fingerprint_equal(&version_at(*index_at(place))->print, print))
        place = (place + 1) & (places - 1);
    return index_at(place);
}

/* All of them once more, in order. */
static void grow_index(void) {
    memset(index_at(0), 0, places * sizeof(uint32_t));
    places *= 2;
    for (uint64_t at = UNIT; at < used;) {
        struct version *version = (struct version *)(VERSION_BASE + at);
        *place_of(&version->print) = (uint32_t)(at / UNIT);
        at += version->room;
    }
}

uint32_t version_find(const struct fingerprint *print, uint32_t size, bool *fresh) {
    if (used == 0)
        map_all();
    uint32_t *place = place_of(print);
    *fresh = *place == NO_VERSION;
    if (!*fresh)
        return *place;
    uint64_t room = (sizeof(struct version) + size + UNIT - 1) & ~(uint64_t)(UNIT - 1);
    if (used + room > VERSION_RANGE || 2 * places * sizeof(uint32_t) > INDEX_RANGE)
        return NO_VERSION;
    struct version *version = (struct version *)(VERSION_BASE + used);
    uint32_t number = (uint32_t)(used / UNIT);
    *version = (struct version){.print = *print, .room = (uint32_t)room};
    *place = number;
    used += room;
    if (2 * ++count > places)
        grow_index();
    return number;
}
