/* delays.c - ses: stratified exhaustive search (001, section 3). The first stratum has what a
 * delaying explorer prescribes, the next what departs from that by one delay, and so on. An option
 * costs as many delays as the explorer needs to prescribe it. The n-th value of a choice costs n.
 *
 * A stratum does not have every execution with so many delays. A state is expanded with the
 * explorer's state of the first execution that came there. Another way to the state might have had
 * the same option cheaper. 001 finds that a good bargain. --cache=pair remembers pairs of both
 * states, to measure what the alternative would cost (000, table 1). */
#include "strategies/strata/delays.h"

_Static_assert(sizeof(struct delays) <= COST_STATE_MAX, "it is a cost's own part of a state");

static void delays_begin(struct search *self, void *own) {
    struct delays *delays = own;
    delaying_begin(&delays->delaying, self->context, self->options->seed);
}

static uint32_t complain(struct search *self, const struct delays *delays,
                         const struct choice *choice) {
    return delaying_complain(&delays->delaying, choice, &delays->prescribed, &self->base,
                             self->mistake);
}

static bool delays_enter(struct search *self, void *own, const struct choice *choice) {
    struct delays *delays = own;
    delays->prescribed = (struct prescribed){{0}};
    if (delaying_tell(&delays->delaying, choice, self->base.inputs->execution))
        return true;
    complain(self, delays, choice);
    return false;
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
    return prescribed_add(&delays->prescribed, option) ? option : complain(self, delays, choice);
}

static bool delays_is_taken(const void *own, uint32_t option) {
    const struct delays *delays = own;
    return prescribed_has(&delays->prescribed, option);
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

/* delays_cost is for --cache=program, delays_pair_cost for --cache=pair. */
#define DELAYS \
    .bound = BOUND_DELAYS, .begin = delays_begin, .enter = delays_enter, .option = delays_option, \
    .is_taken = delays_is_taken, .more = delays_more, .size = delays_size, .shift = delays_shift
static const struct cost_ops delays_cost = {DELAYS};
static const struct cost_ops delays_pair_cost = {DELAYS, .key = delays_key, .counts_keys = true};

void delays_init(struct search *self, const struct strategy_context *context) {
    const struct options *options = context->options;
    const struct cost_ops *cost = options->cache == CACHE_PAIR ? &delays_pair_cost : &delays_cost;
    const struct heddle_explorer *explorer = explorer_wanted(options, DEFAULT_EXPLORER);
    search_init(self, context, cost, options->delay_step ? options->delay_step : 1);
    self->context = explorer;
    self->base.explorer = explorer->name;
}

static struct strategy *ses_create(const struct strategy_context *context) {
    struct search *self = strategy_new(context, sizeof *self, &ses_strategy, &search_ops);
    delays_init(self, context);
    return &self->base;
}

const struct strategy_info ses_strategy = {
    .name = "ses",
    .summary = "every state, in strata of delays from what --explorer prescribes (default rtc)",
    .strata = "delays",
    .traits = EXHAUSTIVE | GOES_BY_STATES | HAS_EXPLORER,
    .bounds = 1 << BOUND_DELAYS,
    .create = ses_create,
};
