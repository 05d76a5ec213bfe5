/* preemptions.c - preemption-bounding: every state, in strata of preemptions (iterative context bounding:
 * Musuvathi, Qadeer, 2007). The turn taken from a task that could go on costs 1; all else is free, values
 * too (switches.h).
 *
 * What costs something depends on who moved last, so that is remembered with a state, as in the paper. All
 * states of a stratum cost the same then, and strata come in ascending order: each is expanded at its least
 * cost. A bound that is completed means: every state that so few preemptions can reach was visited. That
 * is more than ses promises, and takes more memory: a state may be expanded once for each task that could
 * go on in it. */
#include "strategies/strata/search.h"
#include "strategies/switches.h"

/* The task that would go on, or NO_TASK. */
static uint32_t going_on(const struct choice *choice) {
    return switch_is_free(choice) ? NO_TASK : choice->pending[switch_first(choice)].task;
}

static struct fingerprint preemptions_key(const struct search *self, const void *own,
                                          const struct choice *choice) {
    struct fingerprint key = *choice->fingerprint;
    (void)self, (void)own;
    fingerprint_add_number(&key, going_on(choice));
    return key;
}

/* Who goes on, or would be next, and then all others in turn. */
static uint32_t preemptions_option(struct search *self, void *own, const struct choice *choice,
                                   uint32_t taken) {
    (void)self, (void)own;
    return (switch_first(choice) + taken) % choice->count;
}

static uint32_t preemptions_more(const struct choice *choice, uint32_t taken) {
    return choice->tag == CHOICE_SCHEDULE && taken == 1 && !switch_is_free(choice);
}

static const struct cost_ops preemptions_cost = {
    .strategy = &preemption_bounding_strategy,
    .bound = BOUND_PREEMPTIONS,
    .key = preemptions_key,
    .option = preemptions_option,
    .more = preemptions_more,
};

static struct strategy *preemption_bounding_create(struct pool *pool,
                                                   const struct options *options) {
    return &search_create(pool, options, &preemptions_cost, 1)->base;
}

const struct strategy_ops preemption_bounding_strategy = {
    .name = "preemption-bounding",
    .summary = "every state, in strata of preemptions",
    .exhaustive = true,
    .bounds = 1 << BOUND_PREEMPTIONS,
    .remembers_states = true,
    .strata = "preemptions",
    .create = preemption_bounding_create,
    .begin = search_begin,
    .pick = search_pick,
    .expect = search_expect,
    .end = search_end,
};
