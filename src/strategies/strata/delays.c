/* delays.c - ses: stratified exhaustive search (001, section 3): first what a delaying explorer prescribes,
 * then what departs from it by one delay, and so on. An option costs as many delays as the explorer needs
 * to prescribe it; the n-th value of a choice costs n.
 *
 * A stratum is not every execution of so many delays: a state is expanded by the explorer's state of
 * whoever came first, and another way to it may have had the same option cheaper. 001 finds that a good
 * bargain. --cache=pair remembers pairs of both states, to measure what that would cost (000, table 1). */
#include "strategies/strata/delays.h"

_Static_assert(sizeof(struct delays) <= COST_STATE_MAX, "it is a cost's own part of a state");

static void delays_begin(struct search *self, void *own) {
    struct delays *delays = own;
    delaying_begin(&delays->delaying, self->context, self->options->seed);
}

static bool complain(struct search *self, const struct delays *delays,
                     const struct choice *choice) {
    const struct execution *execution = self->base.execution;
    uint32_t steps = 0;
    for (uint32_t i = 0; i < execution->decision_count; i++)
        steps += execution->decisions[i].tag == CHOICE_SCHEDULE;
    delaying_complain(&delays->delaying, choice, &delays->prescribed, steps, self->base.error,
                      sizeof self->base.error);
    return false;
}

static bool delays_enter(struct search *self, void *own, const struct choice *choice) {
    struct delays *delays = own;
    delays->prescribed = (struct prescribed){{0}};
    return delaying_tell(&delays->delaying, choice, self->base.execution) ||
           complain(self, delays, choice);
}

static struct fingerprint delays_key(const struct search *self, const void *own,
                                     const struct choice *choice) {
    const struct delays *delays = own;
    const struct heddle_explorer *explorer = self->context;
    struct fingerprint pair = *choice->fingerprint;
    fingerprint_add(&pair, delays->delaying.state, explorer->size);
    return pair;
}

static uint32_t delays_option(struct search *self, void *own, const struct choice *choice,
                              uint32_t taken) {
    struct delays *delays = own;
    if (taken > 0)
        delaying_delay(&delays->delaying);
    uint32_t option = delaying_next(&delays->delaying, choice);
    if (prescribed_add(&delays->prescribed, option))
        return option;
    complain(self, delays, choice);
    return PICK_NOTHING;
}

static uint32_t delays_more(const struct choice *choice, uint32_t taken) {
    (void)choice;
    return taken > 0;
}

static size_t delays_size(const void *own) {
    const struct delays *delays = own;
    return offsetof(struct delays, delaying) + delaying_size(&delays->delaying);
}

static void delays_shift(void *own, int64_t events) {
    struct delays *delays = own;
    delays->delaying.events = (uint32_t)(delays->delaying.events + events);
}

/* What --cache=program remembers, and --cache=pair. */
#define DELAYS \
    .strategy = &ses_strategy, .bound = BOUND_DELAYS, .begin = delays_begin, \
    .enter = delays_enter, .option = delays_option, .more = delays_more, .size = delays_size, \
    .shift = delays_shift
static const struct cost_ops delays_cost = {DELAYS};
static const struct cost_ops delays_pair_cost = {DELAYS, .key = delays_key, .counts_keys = true};

void delays_init(struct search *self, struct pool *pool, const struct options *options) {
    const struct cost_ops *cost = options->cache == CACHE_PAIR ? &delays_pair_cost : &delays_cost;
    const struct heddle_explorer *explorer = explorer_wanted(options, DEFAULT_EXPLORER);
    search_init(self, pool, options, cost, options->delay_step ? options->delay_step : 1);
    self->context = explorer;
    self->base.explorer = explorer->name;
}

static struct strategy *ses_create(struct pool *pool, const struct options *options) {
    struct search *self = pool_alloc(pool, sizeof *self);
    delays_init(self, pool, options);
    return &self->base;
}

const struct strategy_ops ses_strategy = {
    .name = "ses",
    .summary = "every state, in strata of delays from what --explorer prescribes (default rtc)",
    .exhaustive = true,
    .bounds = 1 << BOUND_DELAYS,
    .remembers_states = true,
    .has_explorer = true,
    .strata = "delays",
    .create = ses_create,
    .begin = search_begin,
    .pick = search_pick,
    .expect = search_expect,
    .end = search_end,
};
