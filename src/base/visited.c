/* visited.c - see visited.h.
 *
 * The invariant: entries ascend, and each stands at the larger of its own place (home) and the place
 * behind its predecessor. So between its home and itself nothing is empty, and whoever looks for it can
 * stop at a larger one. An entry that comes in between moves those behind it on, up to the next gap. */
#include "base/visited.h"

#include "base/check.h"

enum {
    CAPACITY_FIRST = 1024,
    OVERHANG = 1 << 16, /* slots behind the last home: the array does not wrap around */
    GROWTH_EIGHTHS = 9, /* to so many eighths of what it was */
};

static uint64_t power_below(uint64_t number) {
    return (uint64_t)1 << (63 - __builtin_clzll(number));
}

void visited_init(struct visited *visited, struct pool *pool, uint64_t bytes,
                  enum visited_full full) {
    const uint64_t overhang = OVERHANG * sizeof *visited->slots;
    uint64_t most = power_below((pool->limit - pool->used) / 2);
    if (bytes > most - overhang)
        bytes = most - overhang;
    *visited = (struct visited){.capacity = CAPACITY_FIRST, .full = full};
    visited->capacity_max = bytes / sizeof *visited->slots;
    if (visited->capacity_max < CAPACITY_FIRST)
        visited->capacity_max = CAPACITY_FIRST;
    visited->reserved = visited->capacity_max;
    visited->slots = pool_alloc(pool, visited->capacity_max * sizeof *visited->slots + overhang);
}

static uint64_t home_of(const struct visited *visited, const struct fingerprint *entry) {
    return (uint64_t)((unsigned __int128)entry->word[0] * visited->capacity >> 64);
}

static bool is_empty(const struct fingerprint *slot) {
    return (slot->word[0] | slot->word[1]) == 0;
}

/* The note stands in the upper bits of the second word. */
static const uint64_t KEY = ((uint64_t)1 << (64 - VISITED_NOTE_BITS)) - 1;

static uint32_t note_of(const struct fingerprint *slot) {
    return (uint32_t)(slot->word[1] >> (64 - VISITED_NOTE_BITS));
}

static uint64_t noted(uint64_t word, uint32_t note) {
    CHECK(note >> VISITED_NOTE_BITS == 0);
    return (word & KEY) | (uint64_t)note << (64 - VISITED_NOTE_BITS);
}

static bool is_less(const struct fingerprint *a, const struct fingerprint *b) {
    return a->word[0] < b->word[0] ||
           (a->word[0] == b->word[0] && (a->word[1] & KEY) < (b->word[1] & KEY));
}

static bool is_same(const struct fingerprint *a, const struct fingerprint *b) {
    return a->word[0] == b->word[0] && ((a->word[1] ^ b->word[1]) & KEY) == 0;
}

/* Zeros mean that a slot is empty. */
static struct fingerprint entry_of(const struct fingerprint *fingerprint) {
    struct fingerprint entry = {{fingerprint->word[0], fingerprint->word[1] & KEY}};
    entry.word[1] |= is_empty(&entry);
    return entry;
}

/* Where it stands, or should. */
static struct fingerprint *place_of(const struct visited *visited,
                                    const struct fingerprint *entry) {
    struct fingerprint *slot = &visited->slots[home_of(visited, entry)];
    while (!is_empty(slot) && is_less(slot, entry))
        slot++;
    return slot;
}

void visited_expect(const struct visited *visited, const struct fingerprint *fingerprint) {
    __builtin_prefetch(&visited->slots[home_of(visited, fingerprint)], 1);
}

/* NULL if it is not there. */
static struct fingerprint *find(const struct visited *visited,
                                const struct fingerprint *fingerprint) {
    struct fingerprint entry = entry_of(fingerprint), *slot = place_of(visited, &entry);
    return is_same(slot, &entry) ? slot : NULL;
}

bool visited_has(const struct visited *visited, const struct fingerprint *fingerprint) {
    return find(visited, fingerprint) != NULL;
}

bool visited_read_note(const struct visited *visited, const struct fingerprint *fingerprint,
                       uint32_t *note) {
    const struct fingerprint *slot = find(visited, fingerprint);
    if (slot != NULL)
        *note = note_of(slot);
    return slot != NULL;
}

bool visited_write_note(struct visited *visited, const struct fingerprint *fingerprint,
                        uint32_t note) {
    struct fingerprint *slot = find(visited, fingerprint);
    if (slot != NULL)
        slot->word[1] = noted(slot->word[1], note);
    return slot != NULL;
}

/* --- growing -------------------------------------------------------------------------------- */

/* All entries to the very end, in their order. None is overwritten that was not moved: above each there
 * are at least as many slots as entries. */
static struct fingerprint *pack(struct visited *visited, struct fingerprint *from_end,
                                struct fingerprint *to_end) {
    while (from_end-- > visited->slots)
        if (!is_empty(from_end))
            *--to_end = *from_end;
    return to_end;
}

/* From there to where they belong, which is never above where they are. */
static void spread(struct visited *visited, const struct fingerprint *from,
                   const struct fingerprint *end) {
    struct fingerprint *next = visited->slots;
    for (; from < end; from++) {
        struct fingerprint entry = *from, *slot = &visited->slots[home_of(visited, &entry)];
        while (next < slot)
            *next++ = (struct fingerprint){0};
        *next++ = entry;
    }
    while (next < end)
        *next++ = (struct fingerprint){0};
}

static void grow(struct visited *visited) {
    struct fingerprint *from_end = visited->slots + visited->capacity + OVERHANG;
    uint64_t capacity = visited->capacity / 8 * GROWTH_EIGHTHS;
    visited->capacity = capacity < visited->capacity_max ? capacity : visited->capacity_max;
    struct fingerprint *to_end = visited->slots + visited->capacity + OVERHANG;
    spread(visited, pack(visited, from_end, to_end), to_end);
}

/* --- adding --------------------------------------------------------------------------------- */

static bool has_room(const struct visited *visited) {
    return visited->count * 10 < visited->capacity * VISITED_LOAD_TENTHS;
}

static void insert(struct visited *visited, struct fingerprint *slot, struct fingerprint entry) {
    const struct fingerprint *end = visited->slots + visited->capacity + OVERHANG;
    while (!is_empty(slot)) {
        struct fingerprint next = *slot;
        *slot++ = entry;
        entry = next;
    }
    CHECK(slot < end);
    *slot = entry;
    visited->count++;
}

/* In place of its neighbour. Before it, nothing is empty down to its home; and who stands behind finds
 * this place taken as before. */
static enum visited_answer add_when_full(struct visited *visited, struct fingerprint *slot,
                                         const struct fingerprint *entry) {
    if (visited->full == VISITED_STOPS)
        return VISITED_FORGOTTEN;
    bool has_predecessor = slot > &visited->slots[home_of(visited, entry)];
    if (is_empty(slot) && has_predecessor)
        slot--;
    visited->count += is_empty(slot);
    *slot = *entry;
    return VISITED_NEW;
}

enum visited_answer visited_add_noted(struct visited *visited,
                                      const struct fingerprint *fingerprint, uint32_t *note) {
    struct fingerprint entry = entry_of(fingerprint);
    struct fingerprint *slot = place_of(visited, &entry);
    if (is_same(slot, &entry)) {
        *note = note_of(slot);
        return VISITED_BEFORE;
    }
    entry.word[1] = noted(entry.word[1], *note);
    if (!has_room(visited)) {
        if (visited->capacity >= visited->capacity_max)
            return add_when_full(visited, slot, &entry);
        grow(visited);
        slot = place_of(visited, &entry);
    }
    insert(visited, slot, entry);
    return VISITED_NEW;
}
