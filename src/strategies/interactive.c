/* interactive.c - the user decides: the strategy of the simulator. All that it knows is in the dialogue
 * (engine/dialogue.h), which it asks at every choice. No execution is its last. */
#include "strategies/strategies.h"

#include "engine/dialogue.h"

struct interactive {
    struct strategy base;
    struct dialogue *dialogue; /* borrowed */
};

static struct strategy *interactive_create(struct pool *pool, const struct options *options) {
    struct interactive *self = pool_alloc(pool, sizeof *self);
    self->base.ops = &interactive_strategy;
    self->dialogue = options->dialogue;
    return &self->base;
}

static bool interactive_begin(struct strategy *base) {
    (void)base;
    return true;
}

static uint32_t interactive_pick(struct strategy *base, const struct choice *choice) {
    struct interactive *self = (struct interactive *)base;
    return dialogue_pick(self->dialogue, base->execution, choice);
}

static void interactive_end(struct strategy *base, enum outcome outcome,
                            const struct choice *last) {
    (void)base, (void)outcome, (void)last;
}

const struct strategy_ops interactive_strategy = {
    .name = "interactive",
    .summary = "the user of the simulator",
    .exhaustive = false,
    .create = interactive_create,
    .begin = interactive_begin,
    .pick = interactive_pick,
    .end = interactive_end,
};
