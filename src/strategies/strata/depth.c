/* depth.c - depth-bounding: every state, by random depth-first search in strata of depth (000, section 5.2).
 * Each step from the first state with options on costs 1. Options are taken in an order by --seed: from a random one on, by random strides.
 *
 * A stratum is not every state of so small a depth: one that was met deep is not expanded again where it
 * lies less deep. At the end everything was visited all the same. */
#include "strategies/strata/search.h"

#include "base/random.h"

/* Of the state, whatever leads to it. */
static bool depth_enter(struct search *self, void *own, const struct choice *choice) {
    struct random random;
    random_seed_nth(&random, self->options->seed, choice->fingerprint->word[1]);
    *(uint64_t *)own = random_next(&random);
    return true;
}

static uint32_t divisor(uint32_t a, uint32_t b) {
    return b == 0 ? a : divisor(b, a % b);
}

static uint32_t depth_option(struct search *self, void *own, const struct choice *choice,
                             uint32_t taken) {
    uint64_t drawn = *(const uint64_t *)own;
    uint32_t count = choice->count;
    uint32_t first = (uint32_t)(drawn >> 32) % count, stride = 1 + (uint32_t)drawn % count;
    (void)self;
    while (divisor(stride, count) != 1) /* else it would not come to all */
        stride++;
    return (uint32_t)((first + (uint64_t)stride * taken) % count);
}

static uint32_t depth_more(const struct choice *choice, uint32_t taken) {
    return choice->tag == CHOICE_SCHEDULE && taken == 0;
}

static size_t depth_size(const void *own) {
    (void)own;
    return sizeof(uint64_t);
}

static const struct cost_ops depth_cost = {
    .strategy = &depth_bounding_strategy,
    .bound = BOUND_NONE,
    .enter = depth_enter,
    .option = depth_option,
    .more = depth_more,
    .size = depth_size,
};

static struct strategy *depth_bounding_create(struct pool *pool, const struct options *options) {
    uint32_t step = options->depth_step ? options->depth_step : DEFAULT_DEPTH_STEP;
    struct search *self = search_create(pool, options, &depth_cost, step);
    self->bound = step;
    return &self->base;
}

const struct strategy_ops depth_bounding_strategy = {
    .name = "depth-bounding",
    .summary = "every state, in strata of depth, in a random order (--seed)",
    .exhaustive = true,
    .remembers_states = true,
    .strata = "steps",
    .create = depth_bounding_create,
    .begin = search_begin,
    .pick = search_pick,
    .expect = search_expect,
    .end = search_end,
};
