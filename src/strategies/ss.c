/* ss.c - stratified sampling (001, section 4, Fig. 7): executions with a given number of delays,
 * drawn near-uniformly.
 *
 * A sample of the stratum d is made by d + 1 executions. The first one has no delay. Each further
 * one repeats the one before it up to a state that is drawn from those after its last delay, is
 * delayed once more there, and then follows the explorer to the end. So an execution with d delays
 * is drawn with a probability of at least 1/L^d, where L is the number of states of the longest
 * execution (Theorem 3), and a long execution is as likely as a short one. Strata come one after
 * the other: 1, 2, 3, ..., up to --delays, and then again from 1.
 *
 * Unlike Fig. 7, only states where a delay is legal are drawn: with n delays so far and k options,
 * n + 1 must be less than k. In other states a delay would change nothing. There are at most L
 * legal states. If none is left, the sample ends with fewer delays. If no sample of a stratum had
 * all of its delays, there is most likely no such execution, and the strata begin again at 1.
 *
 * An explorer that goes by its seed gets another seed for each sample, so that its order is
 * sampled, too. With other explorers the first execution is the same each time, and is made only
 * once. */
#include "strategies/strategies.h"

#include <string.h>

#include "strategies/sampler.h"

struct ss {
    struct strategy base;
    struct sampler sampler;
    struct delaying delaying;
    const struct heddle_explorer *explorer; /* borrowed */
    bool seeded;                            /* the explorer depends on its seed */
    uint64_t seed;
    struct places undelayed; /* where the execution without delays could be delayed */
    uint64_t samples;        /* number of samples drawn in all */
};

/* Returns true if another seed makes another order. Then the seed must show in the explorer's
 * state. */
static bool goes_by_seed(const struct heddle_explorer *explorer) {
    struct delaying one, other;
    delaying_begin(&one, explorer, 1);
    delaying_begin(&other, explorer, 2);
    return memcmp(one.state, other.state, sizeof one.state) != 0;
}

static bool ss_begin(struct strategy *base, struct plan *plan) {
    struct ss *self = (struct ss *)base;
    struct sampler *sampler = &self->sampler;
    if (!sampler_extend(sampler)) {
        sampler_next(sampler, &self->undelayed);
        /* adds nothing if the execution without delays is still to be made */
        sampler_extend(sampler);
    }
    uint32_t delays = sampler->path.count;
    plan->prefix = delays > 0 ? sampler->path.list[delays - 1] : 0;
    self->samples += sampler_begin(sampler);
    delaying_begin(&self->delaying, self->explorer,
                   self->seeded ? self->seed + sampler->sample : self->seed);
    return true;
}

static uint32_t ss_pick(struct strategy *base, const struct choice *choice, struct keep *keep) {
    struct ss *self = (struct ss *)base;
    struct prescribed prescribed = {0};
    (void)keep;
    return sampler_pick(&self->sampler, base, &self->delaying, &prescribed, 0, choice);
}

static void ss_end(struct strategy *base, enum outcome outcome, const struct choice *last,
                   struct report *report) {
    struct ss *self = (struct ss *)base;
    struct sampler *sampler = &self->sampler;
    (void)outcome, (void)last;
    report->diverged = !sampler_end(sampler);
    report->delays = (int32_t)sampler->path.count;
    report->stratum = sampler->stratum;
    report->samples = self->samples;
    if (sampler->path.count == 0 && !self->seeded)
        places_copy(sampler->pool, &self->undelayed, &sampler->legal);
}

static const struct strategy_ops ss_ops = {
    .begin = ss_begin,
    .pick = ss_pick,
    .end = ss_end,
};

static struct strategy *ss_create(const struct strategy_context *context) {
    const struct options *options = context->options;
    struct ss *self = strategy_new(context, sizeof *self, &ss_strategy, &ss_ops);
    self->seed = options->seed;
    self->explorer = explorer_wanted(options, DEFAULT_EXPLORER);
    self->base.explorer = self->explorer->name;
    self->seeded = goes_by_seed(self->explorer);
    sampler_init(&self->sampler, context->pool, options->seed,
                 bound_given(options, BOUND_DELAYS) ? (uint64_t)options->delays : UINT32_MAX);
    return &self->base;
}

const struct strategy_info ss_strategy = {
    .name = "ss",
    .summary = "samples with one delay, with two, and so on, near-uniformly; by --explorer",
    .strata = "delays",
    .traits = HAS_EXPLORER,
    .bounds = 1 << BOUND_DELAYS,
    .create = ss_create,
};
