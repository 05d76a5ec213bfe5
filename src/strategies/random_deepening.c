/* random_deepening.c - random walks by strata of depth: the iterative random scheduler of 001,
 * section 6.1.
 *
 * The i-th stratum (from 1 on) has executions of at most 100 i steps. 100 + 3^i of them are drawn,
 * and each option has the same probability. A random walk meets what lies near the beginning with a
 * higher probability than what lies deep. So this strategy spends little on the depth before it has
 * looked near by. */
#include "strategies/strategies.h"

#include "base/random.h"
#include "strategies/samples.h"

enum { DEPTH_STEP = 100 };

struct random_deepening {
    struct strategy base;
    struct random random;
    uint64_t seed;
    uint64_t execution; /* number of this execution, from 0 */
    uint32_t iteration; /* number of the stratum, from 1 */
    uint64_t left;      /* number of samples still to be drawn from the stratum */
    uint32_t steps;     /* number of steps in this execution */
    uint64_t steps_max; /* the most steps of an execution */
    uint64_t samples;   /* number of samples drawn in all */
};

static bool random_deepening_begin(struct strategy *base, struct plan *plan) {
    struct random_deepening *self = (struct random_deepening *)base;
    (void)plan;
    if (self->left == 0)
        self->left = samples_of(++self->iteration);
    self->left--;
    self->steps_max = (uint64_t)self->iteration * DEPTH_STEP;
    self->samples++;
    self->steps = 0;
    random_seed_nth(&self->random, self->seed, self->execution++);
    return true;
}

static uint32_t random_deepening_pick(struct strategy *base, const struct choice *choice,
                                      struct keep *keep) {
    struct random_deepening *self = (struct random_deepening *)base;
    (void)keep;
    if (choice->tag == CHOICE_SCHEDULE && self->steps++ == self->steps_max)
        return PICK_DEEP;
    return choice->count == 1 ? 0 : random_below(&self->random, choice->count);
}

static void random_deepening_end(struct strategy *base, enum outcome outcome,
                                 const struct choice *last, struct report *report) {
    const struct random_deepening *self = (const struct random_deepening *)base;
    (void)outcome, (void)last;
    report->stratum = self->steps_max;
    report->samples = self->samples;
}

static const struct strategy_ops random_deepening_ops = {
    .begin = random_deepening_begin,
    .pick = random_deepening_pick,
    .end = random_deepening_end,
};

static struct strategy *random_deepening_create(const struct strategy_context *context) {
    struct random_deepening *self =
        strategy_new(context, sizeof *self, &random_deepening_strategy, &random_deepening_ops);
    self->seed = context->options->seed;
    return &self->base;
}

const struct strategy_info random_deepening_strategy = {
    .name = "random-deepening",
    .summary = "random interleavings, of at most 100 steps first, then 200, and so on",
    .strata = "steps",
    .create = random_deepening_create,
};
