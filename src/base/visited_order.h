/* visited_order.h - how a set of visited states keeps its slots in order: the inside of visited.c
 * and visited_values.c.
 *
 * The invariant: entries ascend, and each stands at the larger of its own place (home) and the
 * place behind its predecessor. So between its home and itself nothing is empty, and a search for
 * it can stop at a larger one. An entry that comes in between moves those behind it on, up to the
 * next gap.
 *
 * The size of a slot is a parameter of each function: a constant in visited.c. */
#ifndef BASE_VISITED_ORDER_H
#define BASE_VISITED_ORDER_H

#include "base/check.h"
#include "base/pages.h"
#include "base/visited.h"
#include "base/visited_slots.h"

#define VISITED_INLINE static inline __attribute__((always_inline))

enum {
    VISITED_OVERHANG = 1 << 14, /* slots behind the last home: the array does not wrap around */
    VISITED_SMALL = 1 << 15,    /* below this capacity, the array is doubled */
    VISITED_GROWTH_EIGHTHS = 9, /* otherwise it grows to so many eighths of what it was */
};

void visited_make(struct visited *visited, struct pool *pool, uint64_t bytes,
                  enum visited_full full, size_t size);

/* --- entries -------------------------------------------------------------------------------- */

/* The note stands in the upper bits of the second word. */
#define VISITED_KEY (((uint64_t)1 << (64 - VISITED_NOTE_BITS)) - 1)

VISITED_INLINE uint32_t note_of(struct fingerprint entry) {
    return (uint32_t)(entry.word[1] >> (64 - VISITED_NOTE_BITS));
}

VISITED_INLINE uint64_t noted(uint64_t word, uint32_t note) {
    CHECK(note >> VISITED_NOTE_BITS == 0);
    return (word & VISITED_KEY) | (uint64_t)note << (64 - VISITED_NOTE_BITS);
}

VISITED_INLINE bool is_less(struct fingerprint a, struct fingerprint b) {
    return a.word[0] < b.word[0] ||
           (a.word[0] == b.word[0] && (a.word[1] & VISITED_KEY) < (b.word[1] & VISITED_KEY));
}

VISITED_INLINE bool is_same(struct fingerprint a, struct fingerprint b) {
    return a.word[0] == b.word[0] && ((a.word[1] ^ b.word[1]) & VISITED_KEY) == 0;
}

/* Zeros mean that a slot is empty. */
VISITED_INLINE struct fingerprint entry_of(const struct fingerprint *fingerprint) {
    struct fingerprint entry = {{fingerprint->word[0], fingerprint->word[1] & VISITED_KEY}};
    entry.word[1] |= entry_is_empty(entry);
    return entry;
}

/* --- looking -------------------------------------------------------------------------------- */

VISITED_INLINE struct visited_slot *home_of(const struct visited *visited, struct fingerprint entry,
                                            size_t size) {
    uint64_t at = (uint64_t)((unsigned __int128)entry.word[0] * visited->capacity >> 64);
    return slot_plus(visited->slots, at, size);
}

/* Where the entry stands, or should. */
VISITED_INLINE struct visited_slot *place_of(const struct visited *visited,
                                             struct fingerprint entry, size_t size) {
    struct visited_slot *slot = home_of(visited, entry, size);
    while (!slot_is_empty(slot) && is_less(slot_read(slot), entry))
        slot = slot_plus(slot, 1, size);
    return slot;
}

/* NULL if it is not there. */
VISITED_INLINE struct visited_slot *find(const struct visited *visited,
                                         const struct fingerprint *fingerprint, size_t size) {
    struct fingerprint entry = entry_of(fingerprint);
    struct visited_slot *slot = place_of(visited, entry, size);
    return is_same(slot_read(slot), entry) ? slot : NULL;
}

/* --- growing -------------------------------------------------------------------------------- */

/* A small array has as many slots behind its last home as before it, which is always enough. */
VISITED_INLINE struct visited_slot *end_of(const struct visited *visited, size_t size) {
    uint64_t capacity = visited->capacity;
    uint64_t overhang = capacity < VISITED_OVERHANG ? capacity : VISITED_OVERHANG;
    return slot_plus(visited->slots, capacity + overhang, size);
}

/* All entries to the very end, in their order. None is overwritten that was not moved: above each
 * there are at least as many slots as entries. */
VISITED_INLINE struct visited_slot *pack(struct visited *visited, struct visited_slot *from,
                                         struct visited_slot *to, size_t size) {
    while (from > visited->slots) {
        from = slot_before(from, size);
        if (slot_is_empty(from))
            continue;
        to = slot_before(to, size);
        slot_move(to, from, size);
    }
    return to;
}

/* From there to where they belong, which is never above where they are. */
VISITED_INLINE void spread(struct visited *visited, struct visited_slot *from,
                           const struct visited_slot *end, size_t size) {
    struct visited_slot *next = visited->slots;
    for (; from < end; from = slot_plus(from, 1, size)) {
        const struct visited_slot *home = home_of(visited, slot_read(from), size);
        for (; next < home; next = slot_plus(next, 1, size))
            slot_clear(next, size);
        slot_move(next, from, size);
        next = slot_plus(next, 1, size);
    }
    for (; next < end; next = slot_plus(next, 1, size))
        slot_clear(next, size);
}

/* A small set fits into the pages that the processor remembers. */
VISITED_INLINE void use_huge_pages(struct visited *visited, const struct visited_slot *end) {
    enum { SMALL = 4 << 20 };
    if ((uint64_t)end - (uint64_t)visited->slots > SMALL)
        visited->huge_to = pages_make_huge(visited->huge_to, (uint64_t)end);
}

VISITED_INLINE uint64_t next_capacity(const struct visited *visited) {
    if (visited->capacity < VISITED_SMALL)
        return 2 * visited->capacity;
    return visited->capacity / 8 * VISITED_GROWTH_EIGHTHS;
}

VISITED_INLINE void grow(struct visited *visited, size_t size) {
    struct visited_slot *from = end_of(visited, size);
    uint64_t capacity = next_capacity(visited);
    visited->capacity = capacity < visited->capacity_max ? capacity : visited->capacity_max;
    struct visited_slot *end = end_of(visited, size);
    spread(visited, pack(visited, from, end, size), end, size);
    use_huge_pages(visited, end);
}

/* --- adding --------------------------------------------------------------------------------- */

VISITED_INLINE bool has_room(const struct visited *visited) {
    return visited->count * 10 < visited->capacity * VISITED_LOAD_TENTHS;
}

VISITED_INLINE void insert(struct visited *visited, struct visited_slot *slot,
                           struct visited_copy fresh, size_t size) {
    for (; !slot_is_empty(slot); slot = slot_plus(slot, 1, size))
        slot_exchange(slot, &fresh, size);
    CHECK(slot < end_of(visited, size));
    slot_write(slot, &fresh, size);
    visited->count++;
}

/* In place of its neighbour. Before it, nothing is empty down to its home; and an entry behind it
 * finds this place taken as before. */
VISITED_INLINE enum visited_answer add_when_full(struct visited *visited, struct visited_slot *slot,
                                                 const struct visited_copy *fresh, size_t size) {
    if (visited->full == VISITED_STOPS)
        return VISITED_FORGOTTEN;
    bool has_predecessor = slot > home_of(visited, fresh->entry, size);
    if (slot_is_empty(slot) && has_predecessor)
        slot = slot_before(slot, size);
    visited->count += slot_is_empty(slot);
    slot_write(slot, fresh, size);
    return VISITED_NEW;
}

/* At `slot`, where it should stand and does not. */
VISITED_INLINE enum visited_answer add_at(struct visited *visited, struct visited_slot *slot,
                                          const struct visited_copy *fresh, size_t size) {
    if (!has_room(visited)) {
        if (visited->capacity >= visited->capacity_max)
            return add_when_full(visited, slot, fresh, size);
        grow(visited, size);
        slot = place_of(visited, fresh->entry, size);
    }
    insert(visited, slot, *fresh, size);
    return VISITED_NEW;
}

#endif
