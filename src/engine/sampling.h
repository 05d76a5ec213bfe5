/* sampling.h - how many executions a sampling strategy has drawn from each stratum (of delays, of
 * depth). In the session. */
#ifndef ENGINE_SAMPLING_H
#define ENGINE_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

enum { SAMPLING_ROWS = 64 };

struct sampling_row {
    uint64_t stratum;    /* the number of delays or steps */
    uint64_t samples;    /* the samples that were drawn from it */
    uint64_t executions; /* the complete executions that were run for these samples */
};

struct sampling {
    struct sampling_row rows[SAMPLING_ROWS]; /* in the order in which they were begun */
    uint32_t count;
    bool full;                    /* the last row stands for all later strata, too */
    uint64_t samples, executions; /* in all rows */
};

/* Called with the numbers of all samples and executions of the search so far. The new ones belong
 * to this stratum. */
void sampling_add(struct sampling *sampling, uint64_t stratum, uint64_t samples,
                  uint64_t executions);

/* Adds the samples of another worker, stratum by stratum. */
void sampling_merge(struct sampling *into, const struct sampling *from);

#endif
