/* ss.c - stratified sampling (001, section 4, Fig. 7): executions with so many delays, near-uniformly.
 *
 * A sample of the stratum d is made by d + 1 executions. The first one has no delay; each further one
 * repeats the one before it up to a state that is drawn from those after its last delay, is delayed once
 * more there, and then follows the explorer to the end. So an execution with d delays is drawn with a
 * probability of at least 1/L^d, where L is the number of states of the longest execution (Theorem 3),
 * and a long one is as likely as a short one. Strata come one after the other: 1, 2, 3, ...,
 * up to --delays, and again.
 *
 * Unlike Fig. 7, only states where a delay is legal are drawn: with n delays so far and k options, n + 1
 * must be less than k. Others would be no delay at all, and there are at most L of these. Where none is
 * left the sample ends with fewer delays. If no sample of a stratum had all of its delays, there is most
 * likely no such execution, and the strata begin again at 1.
 *
 * An explorer that goes by its seed gets another one for each sample: its order is sampled, too. The
 * first execution of the others is the same each time, and is made only once. */
#include "strategies/strategies.h"

#include <string.h>

#include "strategies/sampler.h"

struct ss {
    struct strategy base;
    struct sampler sampler;
    struct delaying delaying;
    const struct heddle_explorer *explorer; /* borrowed */
    bool seeded;                            /* the explorer goes by its seed */
    uint64_t seed;
    struct places undelayed; /* where the execution without delays could be delayed */
};

/* Does another seed make another order? Then it must be kept in the state. */
static bool goes_by_seed(const struct heddle_explorer *explorer) {
    struct delaying one, other;
    delaying_begin(&one, explorer, 1);
    delaying_begin(&other, explorer, 2);
    return memcmp(one.state, other.state, sizeof one.state) != 0;
}

static struct strategy *ss_create(struct pool *pool, const struct options *options) {
    struct ss *self = pool_alloc(pool, sizeof *self);
    self->base.ops = &ss_strategy;
    self->seed = options->seed;
    self->explorer = explorer_wanted(options, DEFAULT_EXPLORER);
    self->base.explorer = self->explorer->name;
    self->seeded = goes_by_seed(self->explorer);
    sampler_init(&self->sampler, pool, options->seed,
                 bound_given(options, BOUND_DELAYS) ? (uint64_t)options->delays : UINT32_MAX);
    return &self->base;
}

static bool ss_begin(struct strategy *base) {
    struct ss *self = (struct ss *)base;
    struct sampler *sampler = &self->sampler;
    if (!sampler_extend(sampler)) {
        sampler_next(sampler, &self->undelayed);
        sampler_extend(sampler); /* not if the execution without delays is still to be made */
    }
    uint32_t delays = sampler->path.count;
    base->prefix = delays > 0 ? sampler->path.list[delays - 1] : 0;
    base->delays = (int32_t)delays;
    base->samples += sampler_begin(sampler);
    base->stratum = sampler->stratum;
    delaying_begin(&self->delaying, self->explorer,
                   self->seeded ? self->seed + sampler->sample : self->seed);
    return true;
}

static uint32_t ss_pick(struct strategy *base, const struct choice *choice) {
    struct ss *self = (struct ss *)base;
    struct prescribed prescribed = {0};
    return sampler_pick(&self->sampler, base, &self->delaying, &prescribed, 0, choice);
}

static void ss_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    struct ss *self = (struct ss *)base;
    struct sampler *sampler = &self->sampler;
    (void)last;
    if (!sampler_end(sampler) && outcome != OUTCOME_ERROR)
        base->diverged = true;
    if (sampler->path.count == 0 && !self->seeded)
        places_copy(sampler->pool, &self->undelayed, &sampler->legal);
}

const struct strategy_ops ss_strategy = {
    .name = "ss",
    .summary = "samples with one delay, with two, and so on, near-uniformly; by --explorer",
    .exhaustive = false,
    .bounds = 1 << BOUND_DELAYS,
    .has_explorer = true,
    .strata = "delays",
    .create = ss_create,
    .begin = ss_begin,
    .pick = ss_pick,
    .end = ss_end,
};
