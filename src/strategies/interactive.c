/* interactive.c - the user decides: the strategy of the simulator. It asks the dialogue
 * (engine/dialogue.h), which has all that is known, at every choice. It never runs out of
 * executions. */
#include "strategies/strategies.h"

#include "engine/dialogue.h"

struct interactive {
    struct strategy base;
    struct dialogue *dialogue; /* borrowed */
};

static bool interactive_begin(struct strategy *base, struct plan *plan) {
    (void)base, (void)plan;
    return true;
}

static uint32_t interactive_pick(struct strategy *base, const struct choice *choice,
                                 struct keep *keep) {
    struct interactive *self = (struct interactive *)base;
    (void)keep;
    return dialogue_pick(self->dialogue, base->inputs->execution, choice);
}

static const struct strategy_ops interactive_ops = {
    .begin = interactive_begin,
    .pick = interactive_pick,
};

static struct strategy *interactive_create(const struct strategy_context *context) {
    struct interactive *self =
        strategy_new(context, sizeof *self, &interactive_strategy, &interactive_ops);
    self->dialogue = context->options->dialogue;
    return &self->base;
}

const struct strategy_info interactive_strategy = {
    .name = "interactive",
    .summary = "the user of the simulator",
    .create = interactive_create,
};
