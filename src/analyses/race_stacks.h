/* race_stacks.h - the call stacks of accesses; each stack is kept once. They are recorded only in
 * the repetition that collects evidence, for all accesses, because any access may turn out to
 * race. */
#ifndef ANALYSES_RACE_STACKS_H
#define ANALYSES_RACE_STACKS_H

#include "base/hash_table.h"

struct race_stacks {
    struct pool *pool; /* borrowed */
    uint64_t *frames;  /* one stack after the other: a length, then that many addresses */
    uint32_t frame_count, frame_capacity;
    struct hash_table begins; /* where in frames, by digest_of() */
};

void race_stacks_init(struct race_stacks *stacks, struct pool *pool);
void race_stacks_clear(struct race_stacks *stacks);

/* Returns the index of the stack in `frames`, which is never 0. */
uint32_t race_stacks_add(struct race_stacks *stacks, const uint64_t *pcs, uint32_t count);

#endif
