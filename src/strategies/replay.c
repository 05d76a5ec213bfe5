/* replay.c - follows the decisions of options->replay.
 *
 * Each begin() starts at the first decision again. If a decision cannot be followed (another kind
 * of choice, a task that is not enabled, a value out of range), that is a divergence. Beyond the
 * last decision the first option is taken: the recording ended there (by a crash or a bound), and
 * if the program does not end now, the engine sees the difference in the events. A recorded
 * execution that was left unfinished is left at the same place again (options->replay_stops). */
#include "strategies/strategies.h"

struct replay {
    struct strategy base;
    /* borrowed: the caller may change the decisions between two executions */
    const struct options *options;
    uint32_t position;
};

static bool replay_begin(struct strategy *base, struct plan *plan) {
    struct replay *self = (struct replay *)base;
    (void)plan;
    self->position = 0;
    return true;
}

static uint32_t replay_pick(struct strategy *base, const struct choice *choice, struct keep *keep) {
    struct replay *self = (struct replay *)base;
    (void)keep;
    const struct execution *execution = self->options->replay;
    if (execution == NULL || self->position >= execution->decision_count)
        return self->options->replay_stops ? PICK_NOTHING : 0;
    uint32_t option = choice_option(choice, &execution->decisions[self->position++]);
    return option < choice->count ? option : PICK_DIVERGED;
}

static const struct strategy_ops replay_ops = {
    .begin = replay_begin,
    .pick = replay_pick,
};

static struct strategy *replay_create(const struct strategy_context *context) {
    struct replay *self = strategy_new(context, sizeof *self, &replay_strategy, &replay_ops);
    self->options = context->options;
    return &self->base;
}

const struct strategy_info replay_strategy = {
    .name = "replay",
    .summary = "the decisions of a trace",
    .create = replay_create,
};
