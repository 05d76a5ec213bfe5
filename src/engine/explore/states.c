/* states.c - saves states, puts them on the shelf, and recognises them.
 *
 * A saved state has the system's part first, then that of each analysis. For a strategy that
 * remembers states, each new state has a fingerprint. The states to which the strategy will come
 * back are kept: as a checkpoint of the execution under way, or on the shelf. */
#include "engine/explore/explorer.h"

bool explorer_can_save(const struct explorer *self) {
    const struct options *options = &self->session->request.options;
    return !self->host.evidence && options->checkpoints == CHECKPOINTS_ON &&
           options->isolate == ISOLATE_RESET && self->system->ops->save != NULL;
}

bool explorer_takes_part(const struct explorer *self, const struct analysis *analysis) {
    return !(analysis->ops->of_shared_memory && self->system->ops->private_memory);
}

struct checkpoint *explorer_save_state(struct explorer *self) {
    struct checkpoint *checkpoint = checkpoints_push(&self->checkpoints, &self->run->execution);
    struct image *image = &checkpoint->image;
    checkpoint->steps = self->steps;
    checkpoint->branched = self->branched;
    bool saved = self->system->ops->save(self->system, image);
    for (uint32_t i = 0; saved && i < self->analysis_count; i++)
        if (explorer_takes_part(self, self->analyses[i]))
            self->analyses[i]->ops->save(self->analyses[i], image);
    if (!saved || image->full) {
        checkpoints_failed(&self->checkpoints);
        return NULL;
    }
    checkpoints_saved(&self->checkpoints);
    return checkpoint;
}

void explorer_load_state(struct explorer *self, struct image *image) {
    image_reread(image);
    self->system->ops->load(self->system, &self->host, image);
    for (uint32_t i = 0; i < self->analysis_count; i++)
        if (explorer_takes_part(self, self->analyses[i]))
            self->analyses[i]->ops->load(self->analyses[i], image);
}

/* Puts a state before the choice at hand on the shelf. A choice within a step is reached from the
 * state before the step. */
static void shelve(struct explorer *self, const struct keep *keep, const struct image *image,
                   uint32_t events, uint32_t saved_at) {
    const struct execution *execution = &self->run->execution;
    struct shelf_facts facts = {.decisions = execution->decision_count,
                                .saved_at = saved_at,
                                .events = execution->skipped + events,
                                .steps = self->steps};
    shelf_add(&self->shelf, &facts, execution, image, keep->bytes, keep->byte_count);
}

void explorer_shelve_choice(struct explorer *self, const struct keep *keep) {
    const struct checkpoint *from = checkpoints_here(&self->checkpoints, self->step_from);
    if (from != NULL)
        shelve(self, keep, &from->image, from->events, self->step_from);
    else
        shelve(self, keep, NULL, 0, self->step_from);
}

void explorer_keep_state(struct explorer *self, const struct keep *keep) {
    const struct execution *execution = &self->run->execution;
    uint32_t at = execution->decision_count;
    bool stays = keep->stays || self->chooses;
    if (!stays && !keep->shelved)
        return;
    const struct checkpoint *here = checkpoints_here(&self->checkpoints, at);
    const struct image *image = here != NULL ? &here->image : NULL;
    bool pushed = false;
    if (here == NULL && !stays && at == self->plan.prefix)
        image = self->unshelved;
    if (image == NULL && explorer_can_save(self)) {
        here = explorer_save_state(self);
        image = here != NULL ? &here->image : NULL;
        pushed = here != NULL;
    }
    if (keep->shelved)
        shelve(self, keep, image, execution->event_count, at);
    if (pushed && !stays)
        checkpoints_pop(&self->checkpoints);
}

bool explorer_knows_state(const struct explorer *self) {
    uint32_t at = self->run->execution.decision_count, prefix = self->plan.prefix;
    return at < prefix || (at == prefix && self->plan.start != START_AFRESH) ||
           at < self->redo.decision_count;
}

const struct fingerprint *explorer_recognise(struct explorer *self) {
    const struct system_ops *ops = self->system->ops;
    if (explorer_knows_state(self)) {
        if (self->plan.wants_state && ops->fingerprint != NULL)
            ops->fingerprint(self->system, &self->inputs.state);
        return NULL;
    }
    if (ops->fingerprint == NULL || !ops->fingerprint(self->system, &self->fingerprint))
        return NULL;
    if (self->hooks->expect != NULL)
        self->hooks->expect(self->strategy, &self->fingerprint);
    return &self->fingerprint;
}
