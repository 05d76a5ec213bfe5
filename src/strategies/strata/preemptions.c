/* preemptions.c - preemption-bounding: every state, in strata of preemptions (iterative context
 * bounding: Musuvathi, Qadeer, 2007). Taking the turn from a task that could go on costs 1. All
 * else is free, values too (switches.h).
 *
 * The cost of an option depends on which task moved last, so that task is remembered with a state,
 * as in the paper. Then all states of a stratum cost the same, and strata come in ascending order,
 * so each state is expanded at its least cost. A completed bound means: every state that so few
 * preemptions can reach was visited. That is more than ses promises, and takes more memory, because
 * a state may be expanded once for each task that could go on in it. */
#include "strategies/strata/search.h"
#include "strategies/switches.h"
#include "event/event.h"

/* Returns the task that would go on, or NO_TASK. */
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

/* Takes the task that goes on, or would be next, and then all others in turn. */
static uint32_t preemptions_option(struct search *self, void *own, const struct choice *choice,
                                   uint32_t taken) {
    (void)self, (void)own;
    return (switch_first(choice) + taken) % choice->count;
}

static uint32_t preemptions_more(const struct choice *choice, uint32_t taken) {
    return choice->tag == CHOICE_SCHEDULE && taken == 1 && !switch_is_free(choice);
}

static const struct cost_ops preemptions_cost = {
    .bound = BOUND_PREEMPTIONS,
    .key = preemptions_key,
    .option = preemptions_option,
    .more = preemptions_more,
};

static struct strategy *preemption_bounding_create(const struct strategy_context *context) {
    return &search_create(context, &preemption_bounding_strategy, &preemptions_cost, 1)->base;
}

const struct strategy_info preemption_bounding_strategy = {
    .name = "preemption-bounding",
    .summary = "every state, in strata of preemptions",
    .strata = "preemptions",
    .traits = EXHAUSTIVE | GOES_BY_STATES,
    .bounds = 1 << BOUND_PREEMPTIONS,
    .create = preemption_bounding_create,
};
