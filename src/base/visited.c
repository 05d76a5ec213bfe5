/* visited.c - see visited.h. Slots without values; how they are kept in order is in
 * visited_order.h. */
#include "base/visited.h"

#include "base/visited_order.h"

enum { CAPACITY_FIRST = 1024 };

static uint64_t power_below(uint64_t number) {
    return (uint64_t)1 << (63 - __builtin_clzll(number));
}

void visited_make(struct visited *visited, struct pool *pool, uint64_t bytes,
                  enum visited_full full, size_t size) {
    const uint64_t overhang = VISITED_OVERHANG * size;
    uint64_t most = power_below((pool->limit - pool->used) / 2);
    if (bytes > most - overhang)
        bytes = most - overhang;
    *visited = (struct visited){.capacity = CAPACITY_FIRST, .full = full};
    visited->capacity_max = bytes / size;
    if (visited->capacity_max < CAPACITY_FIRST)
        visited->capacity_max = CAPACITY_FIRST;
    visited->reserved = visited->capacity_max;
    visited->slots = pool_alloc(pool, visited->capacity_max * size + overhang);
    visited->huge_to = (uint64_t)visited->slots;
}

void visited_init(struct visited *visited, struct pool *pool, uint64_t bytes,
                  enum visited_full full) {
    visited_make(visited, pool, bytes, full, VISITED_SLOT);
}

void visited_expect(const struct visited *visited, const struct fingerprint *fingerprint) {
    __builtin_prefetch(home_of(visited, *fingerprint, VISITED_SLOT), 1);
}

bool visited_read_note(const struct visited *visited, const struct fingerprint *fingerprint,
                       uint32_t *note) {
    const struct visited_slot *slot = find(visited, fingerprint, VISITED_SLOT);
    if (slot != NULL)
        *note = note_of(slot_read(slot));
    return slot != NULL;
}

bool visited_write_note(struct visited *visited, const struct fingerprint *fingerprint,
                        uint32_t note) {
    struct visited_slot *slot = find(visited, fingerprint, VISITED_SLOT);
    if (slot != NULL)
        slot_write_second(slot, noted(slot_read(slot).word[1], note));
    return slot != NULL;
}

enum visited_answer visited_add_noted(struct visited *visited,
                                      const struct fingerprint *fingerprint, uint32_t *note) {
    struct visited_copy fresh = {.entry = entry_of(fingerprint)};
    struct visited_slot *slot = place_of(visited, fresh.entry, VISITED_SLOT);
    if (is_same(slot_read(slot), fresh.entry)) {
        *note = note_of(slot_read(slot));
        return VISITED_BEFORE;
    }
    fresh.entry.word[1] = noted(fresh.entry.word[1], *note);
    return add_at(visited, slot, &fresh, VISITED_SLOT);
}
