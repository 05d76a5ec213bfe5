/* replay.c - follows the decisions of options->replay.
 *
 * Each begin() starts at its first decision again. A decision that cannot be followed (another kind of
 * choice, a task that is not enabled, a value out of range) is a divergence. Beyond the last decision
 * it takes the first option: what was recorded ended there (a crash, a bound), and if the program
 * does not end now, the engine sees the difference in the events. What was left unfinished is left
 * there again (options->replay_stops). */
#include "strategies/strategies.h"

struct replay {
    struct strategy base;
    const struct options *options; /* borrowed: what they say may change between two executions */
    uint32_t position;
};

static struct strategy *replay_create(struct pool *pool, const struct options *options) {
    struct replay *self = pool_alloc(pool, sizeof *self);
    self->base.ops = &replay_strategy;
    self->options = options;
    return &self->base;
}

static bool replay_begin(struct strategy *base) {
    struct replay *self = (struct replay *)base;
    self->position = 0;
    base->diverged = false;
    return true;
}

static uint32_t replay_pick(struct strategy *base, const struct choice *choice) {
    struct replay *self = (struct replay *)base;
    const struct execution *execution = self->options->replay;
    if (execution == NULL || self->position >= execution->decision_count)
        return self->options->replay_stops ? PICK_NOTHING : 0;
    uint32_t option = choice_option(choice, &execution->decisions[self->position++]);
    if (option < choice->count)
        return option;
    base->diverged = true;
    return PICK_NOTHING;
}

static void replay_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    (void)base, (void)outcome, (void)last;
}

const struct strategy_ops replay_strategy = {
    .name = "replay",
    .summary = "the decisions of a trace",
    .exhaustive = false,
    .create = replay_create,
    .begin = replay_begin,
    .pick = replay_pick,
    .end = replay_end,
};
