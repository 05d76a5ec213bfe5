/* corpus.c - follows the schedules of options->corpus, one after the other, as far as they fit.
 *
 * They come from earlier builds of the program, so they are wishes (follow.h). What is found on the way is
 * confirmed by the decisions that were really made, like any other finding. */
#include "engine/corpus.h"
#include "strategies/follow.h"
#include "strategies/strategies.h"

struct corpus_strategy {
    struct strategy base;
    struct corpus *corpus; /* borrowed */
    uint32_t next;         /* entry */
    struct follow follow;
};

static struct strategy *corpus_create(struct pool *pool, const struct options *options) {
    struct corpus_strategy *self = pool_alloc(pool, sizeof *self);
    self->base.ops = &corpus_strategy;
    self->corpus = options->corpus;
    return &self->base;
}

static bool corpus_begin(struct strategy *base) {
    struct corpus_strategy *self = (struct corpus_strategy *)base;
    if (self->next == self->corpus->count)
        return false;
    const struct corpus_entry *entry = &self->corpus->entries[self->next++];
    follow_begin(&self->follow, entry->wishes, entry->count);
    self->follow.kinds = entry->kinds;
    return true;
}

static uint32_t corpus_pick(struct strategy *base, const struct choice *choice) {
    return follow_pick(&((struct corpus_strategy *)base)->follow, choice);
}

/* What was wished for behind the end of the execution did not fit either. */
static void corpus_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    struct corpus_strategy *self = (struct corpus_strategy *)base;
    struct corpus_entry *entry = &self->corpus->entries[self->next - 1];
    (void)last;
    entry->followed = true;
    entry->fails = base->finding_count > 0;
    entry->ends = outcome == OUTCOME_ENDED;
    entry->skipped = self->follow.skipped + self->follow.count - self->follow.position;
}

const struct strategy_ops corpus_strategy = {
    .name = "corpus",
    .summary = "schedules of earlier runs",
    .exhaustive = false,
    .create = corpus_create,
    .begin = corpus_begin,
    .pick = corpus_pick,
    .end = corpus_end,
};
