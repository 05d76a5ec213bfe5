/* version.c - see version.h. Versions stand one after the other in a range of addresses that is
 * reserved once. A list gives the address of a version by its number. Numbers are small, so that
 * saved states differ in few bytes. An index finds versions by their fingerprints: open
 * addressing, doubled when it is half full.
 *
 * The index is not the common hash table (base/hash_table.h), because there may be millions of
 * versions. A place here has 4 bytes instead of 16, and the index grows where it stands. */
#include "substrates/native/machines/version.h"

#include <string.h>

#include "substrates/native/memory/memory.h"

#define VERSION_BASE 0x390000000000u
#define VERSION_RANGE ((uint64_t)16 << 30)
#define INDEX_BASE 0x3a0000000000u
#define INDEX_RANGE ((uint64_t)4 << 30)
#define LIST_BASE 0x3b0000000000u
#define LIST_RANGE ((uint64_t)4 << 30)

enum { ALIGNMENT = 16, INDEX_FIRST = 1 << 12 };

static uint64_t used; /* bytes of VERSION_RANGE that are used */
/* Versions, plus one for the number 0, which is no version; 0: nothing is mapped yet. */
static uint32_t count;
static uint64_t places; /* places of the index, a power of two */

static uint32_t *index_at(uint64_t place) {
    return (uint32_t *)INDEX_BASE + place;
}

static struct version **list_at(uint32_t number) {
    return (struct version **)LIST_BASE + number;
}

static void map_all(void) {
    memory_map(VERSION_BASE, VERSION_RANGE);
    memory_map(INDEX_BASE, INDEX_RANGE);
    memory_map(LIST_BASE, LIST_RANGE);
    count = NO_VERSION + 1;
    places = INDEX_FIRST;
}

struct version *version_at(uint32_t number) {
    return *list_at(number);
}

/* The place in the index where the version is, or would be. */
static uint32_t *place_of(const struct fingerprint *print) {
    uint64_t place = print->word[0] & (places - 1);
    while (*index_at(place) != NO_VERSION &&
           !fingerprint_equal(&version_at(*index_at(place))->print, print))
        place = (place + 1) & (places - 1);
    return index_at(place);
}

static void grow_index(void) {
    memset(index_at(0), 0, places * sizeof(uint32_t));
    places *= 2;
    for (uint32_t number = NO_VERSION + 1; number < count; number++)
        *place_of(&version_at(number)->print) = number;
}

static bool has_room(uint64_t size) {
    return used + size <= VERSION_RANGE && 2 * places * sizeof(uint32_t) <= INDEX_RANGE &&
           (count + 1) * sizeof(struct version *) <= LIST_RANGE;
}

uint32_t version_find(const struct fingerprint *print, uint32_t size, bool *fresh) {
    if (count == 0)
        map_all();
    uint32_t *place = place_of(print);
    *fresh = *place == NO_VERSION;
    if (!*fresh)
        return *place;
    uint64_t room = (sizeof(struct version) + size + ALIGNMENT - 1) & ~(uint64_t)(ALIGNMENT - 1);
    if (!has_room(room))
        return NO_VERSION;
    struct version *version = (struct version *)(VERSION_BASE + used);
    uint32_t number = count++;
    *version = (struct version){.print = *print};
    *list_at(number) = version;
    *place = number;
    used += room;
    if (2 * (uint64_t)count > places)
        grow_index();
    return number;
}
