/* race_stacks.h - the call stacks of accesses, each different one kept once. Used only in the
 * repetition that collects evidence: whichever access turns out to race, its stack is there. */
#ifndef ANALYSES_RACE_STACKS_H
#define ANALYSES_RACE_STACKS_H

#include "base/pool.h"

struct race_stacks {
    struct pool *pool; /* borrowed */
    uint64_t *frames;  /* one stack after the other: a length, then that many addresses */
    uint32_t frame_count, frame_capacity;
    uint32_t *table; /* open addressing: where in frames; 0: empty */
    uint32_t table_capacity, stack_count;
};

void race_stacks_init(struct race_stacks *stacks, struct pool *pool);
void race_stacks_clear(struct race_stacks *stacks);

/* Where in `frames` this stack begins; never 0. */
uint32_t race_stacks_add(struct race_stacks *stacks, const uint64_t *pcs, uint32_t count);

#endif
