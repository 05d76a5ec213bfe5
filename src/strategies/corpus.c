/* corpus.c - follows the schedules of options->corpus, one after the other, as far as they fit.
 *
 * The schedules come from earlier builds of the program, so their decisions are wishes
 * (follow.h). A finding on the way is confirmed by the decisions that were really made, like any
 * other finding. */
#include "engine/corpus.h"
#include "strategies/follow.h"
#include "strategies/strategies.h"

struct corpus_strategy {
    struct strategy base;
    struct corpus *corpus; /* borrowed */
    uint32_t next;         /* index of the next entry */
    struct follow follow;
};

static bool corpus_begin(struct strategy *base, struct plan *plan) {
    struct corpus_strategy *self = (struct corpus_strategy *)base;
    (void)plan;
    if (self->next == self->corpus->count)
        return false;
    const struct corpus_entry *entry = &self->corpus->entries[self->next++];
    follow_begin(&self->follow, entry->wishes, entry->count);
    self->follow.kinds = entry->kinds;
    return true;
}

static uint32_t corpus_pick(struct strategy *base, const struct choice *choice, struct keep *keep) {
    (void)keep;
    return follow_pick(&((struct corpus_strategy *)base)->follow, choice);
}

/* Wishes behind the end of the execution did not fit either. */
static void corpus_end(struct strategy *base, enum outcome outcome, const struct choice *last,
                       struct report *report) {
    struct corpus_strategy *self = (struct corpus_strategy *)base;
    struct corpus_entry *entry = &self->corpus->entries[self->next - 1];
    (void)last, (void)report;
    entry->followed = true;
    entry->fails = base->inputs->finding_count > 0;
    entry->ends = outcome == OUTCOME_ENDED;
    entry->skipped = self->follow.skipped + self->follow.count - self->follow.position;
}

static const struct strategy_ops corpus_ops = {
    .begin = corpus_begin,
    .pick = corpus_pick,
    .end = corpus_end,
};

static struct strategy *corpus_create(const struct strategy_context *context) {
    struct corpus_strategy *self =
        strategy_new(context, sizeof *self, &corpus_strategy, &corpus_ops);
    self->corpus = context->options->corpus;
    return &self->base;
}

const struct strategy_info corpus_strategy = {
    .name = "corpus",
    .summary = "schedules of earlier runs",
    .create = corpus_create,
};
