/* visited.h - a set of fingerprints that only grows: one array with 16 bytes for each entry.
 *
 * The range of addresses for the array is reserved once; pages that were never touched cost
 * nothing. The array is sorted. The home of a fingerprint is the slot at (first word / 2^64) x
 * capacity. If its home is taken by smaller entries, a fingerprint comes right after them. So the
 * array can grow in place, without a second copy. It grows by an eighth when nine tenths of its
 * capacity are used, until its limit is reached; a small one is doubled.
 *
 * An entry has a note of 21 bits, which replaces as many bits of its fingerprint. So 107 bits are
 * compared: among n states, two different ones are taken for one with a probability of about n^2 /
 * 2^108; for a thousand million states this is 10^-15.
 *
 * A set that has reached its limit either takes no more entries, or a new entry replaces an old
 * one. A set with a value for each entry is in visited_values.h. */
#ifndef BASE_VISITED_H
#define BASE_VISITED_H

#include "base/fingerprint.h"
#include "base/pool.h"

struct visited_slot;

enum { VISITED_LOAD_TENTHS = 9, VISITED_NOTE_BITS = 21 };

enum visited_full { VISITED_STOPS, VISITED_REPLACES };

enum visited_answer {
    VISITED_BEFORE, /* the fingerprint was in the set before */
    VISITED_NEW,    /* the fingerprint was added */
    /* the fingerprint was not in the set, and there is no room, so it may come as new again */
    VISITED_FORGOTTEN,
};

struct visited {
    struct visited_slot *slots; /* visited_slots.h */
    uint64_t capacity;          /* the number of homes; a few more slots follow */
    uint64_t capacity_max;      /* the present limit of the capacity */
    uint64_t reserved;
    uint64_t count;
    enum visited_full full; /* what to do when the limit is reached */
    uint64_t huge_to;       /* the address up to which the array is in huge pages */
};

/* Makes a set of at most this many bytes, and at most half of what the pool has left. */
void visited_init(struct visited *visited, struct pool *pool, uint64_t bytes,
                  enum visited_full full);

/* A new entry gets the note. If the entry is there already, its note is read. */
enum visited_answer visited_add_noted(struct visited *visited,
                                      const struct fingerprint *fingerprint, uint32_t *note);

static inline enum visited_answer visited_add(struct visited *visited,
                                              const struct fingerprint *fingerprint) {
    uint32_t note = 0;
    return visited_add_noted(visited, fingerprint, &note);
}

/* Returns false if the fingerprint is not in the set. */
bool visited_read_note(const struct visited *visited, const struct fingerprint *fingerprint,
                       uint32_t *note);
bool visited_write_note(struct visited *visited, const struct fingerprint *fingerprint,
                        uint32_t note);

/* Tells the processor that this fingerprint will soon be asked for, because memory is slow. */
void visited_expect(const struct visited *visited, const struct fingerprint *fingerprint);

static inline void visited_limit_slots(struct visited *visited, uint64_t most) {
    visited->capacity_max = most < visited->reserved ? most : visited->reserved;
}

/* Sets another limit, which is at most that of visited_init(). Entries stay. */
static inline void visited_limit(struct visited *visited, uint64_t bytes) {
    visited_limit_slots(visited, bytes / sizeof(struct fingerprint));
}

/* Whether no more entries fit in at present. */
static inline bool visited_is_full(const struct visited *visited) {
    return visited->capacity >= visited->capacity_max &&
           visited->count * 10 >= visited->capacity * VISITED_LOAD_TENTHS;
}

/* The memory that the set takes. */
static inline uint64_t visited_bytes(const struct visited *visited) {
    return visited->capacity * sizeof(struct fingerprint);
}

#endif
