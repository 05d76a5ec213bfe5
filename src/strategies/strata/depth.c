/* depth.c - depth-bounding: every state, by random depth-first search in strata of depth (000,
 * section 5.2). Each step costs 1, from the first state with more than one option on. Options are
 * taken in an order that depends on --seed: a random one first, then the others by a random stride.
 *
 * A stratum does not have every state of so small a depth: a state that was first met at a great
 * depth is not expanded again at a smaller one. At the end every state was visited all the same. */
#include "strategies/strata/search.h"

#include "base/random.h"

/* The order depends on the state, and not on the way that leads to it. */
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
    while (divisor(stride, count) != 1) /* otherwise the stride would leave out some options */
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
    .bound = BOUND_NONE,
    .enter = depth_enter,
    .option = depth_option,
    .more = depth_more,
    .size = depth_size,
};

static struct strategy *depth_bounding_create(const struct strategy_context *context) {
    uint32_t step = context->options->depth_step;
    struct search *self = search_create(context, &depth_bounding_strategy, &depth_cost,
                                        step ? step : DEFAULT_DEPTH_STEP);
    self->bound = self->step;
    return &self->base;
}

const struct strategy_info depth_bounding_strategy = {
    .name = "depth-bounding",
    .summary = "every state, in strata of depth, in a random order (--seed)",
    .strata = "steps",
    .traits = EXHAUSTIVE | GOES_BY_STATES,
    .create = depth_bounding_create,
};
