/* strata.h - what a search did in which stratum: for a strategy that goes by strata (of delays, of
 * preemptions, of depth), lowest first or one after the other again and again. In the session. */
#ifndef ENGINE_STRATA_H
#define ENGINE_STRATA_H

#include <stdbool.h>
#include <stdint.h>

enum { STRATA_KEPT = 64 };

/* What is counted. */
struct strata_counts {
    uint64_t executions;  /* complete ones */
    uint64_t transitions; /* edges of the search tree, each once */
    uint64_t samples;     /* that were drawn: each may take several executions */
};

struct stratum {
    uint64_t bound; /* so many delays, preemptions or steps */
    struct strata_counts counts;
};

struct strata {
    struct stratum list[STRATA_KEPT]; /* in the order in which they were begun */
    uint32_t count;
    bool full;                  /* the last one stands for all that came after it, too */
    struct strata_counts since; /* what was counted before; see strata_add */
};

/* All that was counted in the search, now: what is new belongs to the stratum of that bound. */
void strata_add(struct strata *strata, uint64_t bound, const struct strata_counts *now);

#endif
