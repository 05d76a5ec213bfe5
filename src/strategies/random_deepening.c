/* random_deepening.c - random walks by strata of depth: the iterative random scheduler of 001, section 6.1.
 *
 * The i-th stratum (from 1 on) has executions of at most 100 i steps, and 100 + 3^i of them are drawn, each
 * option with the same probability. A random walk meets what lies near the beginning with a higher
 * probability than what lies deep; this spends little on the depth before it has looked near by. */
#include "strategies/strategies.h"

#include "base/random.h"
#include "strategies/samples.h"

enum { DEPTH_STEP = 100 };

struct random_deepening {
    struct strategy base;
    struct random random;
    uint64_t seed;
    uint64_t execution; /* from 0 */
    uint32_t iteration; /* from 1: the how many-th stratum */
    uint64_t left;      /* so many are still to be drawn from it */
    uint32_t steps;     /* of this execution */
};

static struct strategy *random_deepening_create(struct pool *pool, const struct options *options) {
    struct random_deepening *self = pool_alloc(pool, sizeof *self);
    self->base.ops = &random_deepening_strategy;
    self->seed = options->seed;
    return &self->base;
}

static bool random_deepening_begin(struct strategy *base) {
    struct random_deepening *self = (struct random_deepening *)base;
    if (self->left == 0)
        self->left = samples_of(++self->iteration);
    self->left--;
    base->stratum = (uint64_t)self->iteration * DEPTH_STEP;
    base->samples++;
    self->steps = 0;
    random_seed_nth(&self->random, self->seed, self->execution++);
    return true;
}

static uint32_t random_deepening_pick(struct strategy *base, const struct choice *choice) {
    struct random_deepening *self = (struct random_deepening *)base;
    if (choice->tag == CHOICE_SCHEDULE && self->steps++ == base->stratum)
        return PICK_DEEP;
    return choice->count == 1 ? 0 : random_below(&self->random, choice->count);
}

static void random_deepening_end(struct strategy *base, enum outcome outcome,
                                 const struct choice *last) {
    (void)base, (void)outcome, (void)last;
}

const struct strategy_ops random_deepening_strategy = {
    .name = "random-deepening",
    .summary = "random interleavings, of at most 100 steps first, then 200, and so on",
    .exhaustive = false,
    .strata = "steps",
    .create = random_deepening_create,
    .begin = random_deepening_begin,
    .pick = random_deepening_pick,
    .end = random_deepening_end,
};
