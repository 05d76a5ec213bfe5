/* strata.h - how far a search in strata has come: by how many delays, states and so on in each.
 *
 * In the session. The strategy says when a stratum begins and counts states; what the engine counts
 * anyway is noted here as it was when the stratum began. */
#ifndef ENGINE_STRATA_H
#define ENGINE_STRATA_H

#include <stdbool.h>
#include <stdint.h>

enum { STRATA_KEPT = 512 }; /* the last row stands for all that come after it */

struct stratum {
    uint32_t bound;       /* of its executions: delays, and the like */
    uint64_t states;      /* that were new in it */
    uint64_t transitions; /* before it */
    uint64_t executions;  /* before it, complete ones */
};

struct strata {
    bool on; /* the strategy has strata */
    struct stratum rows[STRATA_KEPT];
    uint32_t count;     /* begun */
    uint32_t completed; /* of them */
    uint64_t states;
    uint64_t frontier;       /* states put aside for the next ones */
    uint64_t frontier_lost;  /* there was no memory to put them aside: the search is not complete */
    uint64_t visited_bytes;  /* memory for states that were seen, */
    uint64_t frontier_bytes; /* and for those put aside */
    uint64_t bytes_max;      /* of both, at most */
    bool forgetful;          /* the former was full: states may have been visited more than once */
    /* When the search is over (strategies/strata/ends.h): */
    uint64_t endless;     /* states from which no end of the program can be reached, */
    bool endless_unknown; /* and perhaps others */
    bool rounds; /* a state was met again that may lie before the one that leads to it: a cycle */
};

struct session_counters;

/* The row of the stratum under way. */
static inline struct stratum *strata_now(struct strata *strata) {
    uint32_t row = strata->count < STRATA_KEPT ? strata->count : STRATA_KEPT;
    return &strata->rows[row - 1];
}

/* The strategy: another one begins, all before it are complete. */
void strata_begin(struct strata *strata, uint32_t bound);

/* The strategy: a state that was not there before. */
static inline void strata_count_state(struct strata *strata) {
    strata->states++;
    strata_now(strata)->states++;
}

/* The engine: notes what was counted, if a stratum has begun since it was told the last time. */
void strata_note(struct strata *strata, uint32_t *noted, const struct session_counters *counters);

/* What was counted within a row. */
struct stratum strata_row(const struct strata *strata, uint32_t row,
                          const struct session_counters *counters);

/* How many rows there are. */
static inline uint32_t strata_rows(const struct strata *strata) {
    return strata->count < STRATA_KEPT ? strata->count : STRATA_KEPT;
}

#endif
