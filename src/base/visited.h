/* visited.h - a set of fingerprints that only grows: 16 bytes an entry, in one array.
 *
 * The array stands in a range of addresses that is reserved once; pages that were never touched cost
 * nothing. It is sorted: a fingerprint stands at its share of the capacity or, where that place is
 * taken, behind smaller ones. So the array can be stretched where it is, without a second copy, and between
 * seven and nine tenths of it are in use.
 *
 * An entry has a note of 21 bits, in place of as many bits of its fingerprint. So 107 bits are compared: among n states,
 * two different ones are taken for one with a probability of about n^2 / 2^108; for a thousand million that is
 * 10^-15.
 *
 * When it has reached its limit, it either takes no more, or a new one takes the place of an old one. */
#ifndef BASE_VISITED_H
#define BASE_VISITED_H

#include "base/fingerprint.h"
#include "base/pool.h"

enum { VISITED_LOAD_TENTHS = 9, VISITED_NOTE_BITS = 21 };

enum visited_full { VISITED_STOPS, VISITED_REPLACES };

enum visited_answer {
    VISITED_BEFORE,    /* it was there */
    VISITED_NEW,       /* it was not, and is now */
    VISITED_FORGOTTEN, /* it was not; there is no room, so it may come as new again */
};

struct visited {
    struct fingerprint *slots; /* zeros: empty */
    uint64_t capacity;         /* homes; a few more slots follow them */
    uint64_t capacity_max;     /* at present */
    uint64_t reserved;
    uint64_t count;
    enum visited_full full; /* what to do then */
};

/* As many as fit into so many bytes, or into half of what the pool has. */
void visited_init(struct visited *visited, struct pool *pool, uint64_t bytes,
                  enum visited_full full);

/* A new entry gets the note; of one that was there, the note is read. */
enum visited_answer visited_add_noted(struct visited *visited,
                                      const struct fingerprint *fingerprint, uint32_t *note);

static inline enum visited_answer visited_add(struct visited *visited,
                                              const struct fingerprint *fingerprint) {
    uint32_t note = 0;
    return visited_add_noted(visited, fingerprint, &note);
}

/* False if it is not there. */
bool visited_read_note(const struct visited *visited, const struct fingerprint *fingerprint,
                       uint32_t *note);
bool visited_write_note(struct visited *visited, const struct fingerprint *fingerprint,
                        uint32_t note);

/* It will be asked for soon: memory is slow. */
void visited_expect(const struct visited *visited, const struct fingerprint *fingerprint);
bool visited_has(const struct visited *visited, const struct fingerprint *fingerprint);

/* Another limit, at most that of visited_init. What is there stays. */
static inline void visited_limit(struct visited *visited, uint64_t bytes) {
    uint64_t most = bytes / sizeof *visited->slots;
    visited->capacity_max = most < visited->reserved ? most : visited->reserved;
}

/* No entry more fits in at present. */
static inline bool visited_is_full(const struct visited *visited) {
    return visited->capacity >= visited->capacity_max &&
           visited->count * 10 >= visited->capacity * VISITED_LOAD_TENTHS;
}

/* Memory that it takes up. */
static inline uint64_t visited_bytes(const struct visited *visited) {
    return visited->capacity * sizeof *visited->slots;
}

#endif
