/* sampling.h - how many executions were drawn from which stratum (of delays, of depth), by a strategy that
 * samples. In the session. */
#ifndef ENGINE_SAMPLING_H
#define ENGINE_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

enum { SAMPLING_ROWS = 64 };

struct sampling_row {
    uint64_t stratum;    /* so many delays or steps */
    uint64_t samples;    /* that were drawn from it, */
    uint64_t executions; /* and what was executed for that, complete ones */
};

struct sampling {
    struct sampling_row rows[SAMPLING_ROWS]; /* in the order in which they were begun */
    uint32_t count;
    bool full;                    /* the last one stands for all that came after it, too */
    uint64_t samples, executions; /* in all rows */
};

/* All samples and executions of the search so far: what is new belongs to that stratum. */
void sampling_add(struct sampling *sampling, uint64_t stratum, uint64_t samples,
                  uint64_t executions);

#endif
