/* random.c - every option with the same probability, from the seeded generator.
 *
 * Each execution has a generator of its own, made of the seed and the number of the execution: so the
 * k-th one is the same whatever came before it. It never says that nothing is left: the engine bounds
 * the number of executions. */
#include "strategies/strategies.h"
#include "strategies/bounded.h"

#include "base/random.h"

struct random_walk {
    struct strategy base;
    struct random random;
    uint64_t seed;
    uint64_t execution; /* from 0 */
};

static struct strategy *random_create(struct pool *pool, const struct options *options) {
    struct random_walk *self = pool_alloc(pool, sizeof *self);
    self->base.ops = &random_strategy;
    self->seed = options->seed;
    return bounded(pool, &self->base, options);
}

static bool random_begin(struct strategy *base) {
    struct random_walk *self = (struct random_walk *)base;
    random_seed_nth(&self->random, self->seed, self->execution++);
    return true;
}

static uint32_t random_pick(struct strategy *base, const struct choice *choice) {
    struct random_walk *self = (struct random_walk *)base;
    return choice->count == 1 ? 0 : random_below(&self->random, choice->count);
}

static void random_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    (void)base, (void)outcome, (void)last;
}

const struct strategy_ops random_strategy = {
    .name = "random",
    .summary = "random interleavings, by --seed; every option is equally likely at every state",
    .exhaustive = false,
    .bounds = 1 << BOUND_PREEMPTIONS | 1 << BOUND_DELAYS,
    .create = random_create,
    .begin = random_begin,
    .pick = random_pick,
    .end = random_end,
};
