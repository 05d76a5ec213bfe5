/* random.c - takes every option with the same probability, by the seeded generator.
 *
 * Each execution has a generator of its own, made of the seed and the number of the execution. So
 * the k-th execution is the same whatever came before it. The strategy never says that nothing is
 * left: the engine limits the number of executions. */
#include "strategies/strategies.h"
#include "strategies/bounded.h"

#include "base/random.h"

struct random_walk {
    struct strategy base;
    struct random random;
    uint64_t seed;
    uint64_t execution; /* number of this execution, from 0 */
};

static bool random_begin(struct strategy *base, struct plan *plan) {
    struct random_walk *self = (struct random_walk *)base;
    (void)plan;
    random_seed_nth(&self->random, self->seed, self->execution++);
    return true;
}

static uint32_t random_pick(struct strategy *base, const struct choice *choice, struct keep *keep) {
    struct random_walk *self = (struct random_walk *)base;
    (void)keep;
    return choice->count == 1 ? 0 : random_below(&self->random, choice->count);
}

static const struct strategy_ops random_ops = {
    .begin = random_begin,
    .pick = random_pick,
};

static struct strategy *random_create(const struct strategy_context *context) {
    struct random_walk *self = strategy_new(context, sizeof *self, &random_strategy, &random_ops);
    self->seed = context->options->seed;
    return bounded(context, &self->base);
}

const struct strategy_info random_strategy = {
    .name = "random",
    .summary = "random interleavings, by --seed; every option is equally likely at every state",
    .bounds = 1 << BOUND_PREEMPTIONS | 1 << BOUND_DELAYS,
    .create = random_create,
};
