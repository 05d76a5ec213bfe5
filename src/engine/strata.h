/* strata.h - the progress of a search in strata: how many states, transitions and executions each
 * stratum has.
 *
 * In the session. The strategy says when a stratum begins, and counts states. The other numbers are
 * those of the whole search at the moment when the stratum began. */
#ifndef ENGINE_STRATA_H
#define ENGINE_STRATA_H

#include <stdbool.h>
#include <stdint.h>

enum { STRATA_KEPT = 512 }; /* the last row stands for all later strata */

struct stratum {
    uint32_t bound;       /* the number of delays (or the like) of its executions */
    uint64_t states;      /* states that were new in this stratum */
    uint64_t transitions; /* transitions before this stratum */
    uint64_t executions;  /* complete executions before this stratum */
};

struct strata {
    bool on; /* the strategy has strata */
    struct stratum rows[STRATA_KEPT];
    uint32_t count;     /* the number of strata that were begun */
    uint32_t completed; /* the number of strata that were completed */
    uint64_t states;
    uint64_t frontier; /* states that were put aside for later strata */
    /* states that could not be put aside, for lack of memory; then the search is not complete */
    uint64_t frontier_lost;
    uint64_t visited_bytes;  /* memory for visited states */
    uint64_t frontier_bytes; /* memory for states that were put aside */
    uint64_t bytes_max;      /* the largest sum of both */
    /* there was no room for all visited states, so states may have been visited more than once */
    bool forgetful;
    /* Known when the search is over (strategies/strata/ends.h). */
    uint64_t endless;     /* states from which no end of the program can be reached */
    bool endless_unknown; /* there may be more such states */
    /* the search met a state again that may come before itself, so there may be a cycle */
    bool rounds;
};

struct counters;

/* The row of the stratum under way. */
static inline struct stratum *strata_now(struct strata *strata) {
    uint32_t row = strata->count < STRATA_KEPT ? strata->count : STRATA_KEPT;
    return &strata->rows[row - 1];
}

/* For the strategy: the next stratum begins, and all before it are complete. */
void strata_begin(struct strata *strata, uint32_t bound);

/* For the strategy: a state was visited for the first time. */
static inline void strata_count_state(struct strata *strata) {
    strata->states++;
    strata_now(strata)->states++;
}

/* For the engine: stores the counters in the row of a stratum that has begun since the last
 * call. */
void strata_note(struct strata *strata, uint32_t *noted, const struct counters *counters);

/* The numbers of one stratum alone. */
struct stratum strata_row(const struct strata *strata, uint32_t row,
                          const struct counters *counters);

/* How many rows there are. */
static inline uint32_t strata_rows(const struct strata *strata) {
    return strata->count < STRATA_KEPT ? strata->count : STRATA_KEPT;
}

/* Adds the strata of another worker, in ascending order of their bounds. A stratum is complete if
 * both have completed it. The counters are those of each search, before they were merged. */
void strata_merge(struct strata *into, const struct counters *into_counters,
                  const struct strata *from, const struct counters *from_counters);

#endif
