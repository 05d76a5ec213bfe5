/* start.c - where an execution begins: with the program, in a checkpoint of the last execution, or in a
 * state of the shelf; and which states of this one are saved for the next. */
#include "engine/explore/explorer.h"

/* Only the search comes back to its states, and only a process that stays can. */
static bool uses_checkpoints(const struct explorer *self) {
    return explorer_can_save(self) && self->strategy->ops->resume != NULL &&
           self->redo.decision_count == 0;
}

static void plan_checkpoint(struct explorer *self) {
    checkpoints_plan(&self->checkpoints, self->run->execution.decision_count,
                     self->strategy->prefix, self->strategy->returns);
}

void explorer_save_checkpoint(struct explorer *self) {
    explorer_look(self);
    if (explorer_save_state(self) != NULL)
        plan_checkpoint(self);
}

static void load_checkpoint(struct explorer *self, struct checkpoint *checkpoint) {
    struct execution *execution = &self->run->execution;
    explorer_load_state(self, &checkpoint->image);
    execution->skipped = checkpoint->skipped;
    execution->decision_count = checkpoint->decisions;
    execution->event_count = checkpoint->events;
    execution->frame_count = checkpoint->frames;
    execution->text_count = checkpoint->texts;
    self->steps = checkpoint->steps;
    self->branched = checkpoint->branched;
}

static void begin_analyses(struct explorer *self) {
    for (uint32_t i = 0; i < self->analysis_count; i++)
        self->analyses[i]->ops->begin(self->analyses[i]);
}

static void start_afresh(struct explorer *self) {
    begin_analyses(self);
    self->system->ops->start(self->system, &self->host);
}

/* The next one of the shelf. Its decisions are those of the execution under way from now on. */
static void start_from_shelf(struct explorer *self) {
    struct execution *execution = &self->run->execution;
    struct strategy *strategy = self->strategy;
    struct image *image;
    const struct shelf_entry *entry = shelf_take(&self->shelf, execution, &image);
    checkpoints_forget(&self->checkpoints);
    strategy->prefix = entry->facts.decisions;
    strategy->states.bytes = entry->bytes;
    strategy->states.byte_count = entry->byte_count;
    strategy->states.unshelve = false; /* it is taken once, also if this has to be done again */
    execution->decision_count = 0;
    if (image == NULL || !explorer_can_save(self)) {
        start_afresh(self);
        return;
    }
    explorer_load_state(self, image);
    execution->decision_count = entry->facts.saved_at;
    execution->skipped = entry->facts.events;
    self->steps = entry->facts.steps;
    self->branched = true;
    self->unshelved = image;
}

/* Where a strategy that remembers states wants to go on. */
static void start_remembering(struct explorer *self) {
    struct strategy *strategy = self->strategy;
    struct checkpoint *from = NULL;
    if (strategy->states.unshelve) {
        start_from_shelf(self);
    } else {
        shelf_went_back(&self->shelf, strategy->prefix);
        from = checkpoints_latest(&self->checkpoints, strategy->prefix);
        if (from != NULL)
            load_checkpoint(self, from);
        else
            start_afresh(self);
    }
    self->repeated_to = strategy->prefix;
}

/* As late as what the strategy will repeat allows. */
static void start_resuming(struct explorer *self) {
    bool resumes = uses_checkpoints(self);
    struct checkpoint *from = NULL;
    if (resumes)
        from = checkpoints_latest(&self->checkpoints, self->strategy->prefix);
    if (from != NULL) {
        load_checkpoint(self, from);
        self->strategy->ops->resume(self->strategy, from->decisions);
    } else {
        start_afresh(self);
    }
    self->checkpoints.due = CHECKPOINT_NEVER;
    if (resumes)
        plan_checkpoint(self);
}

void explorer_start(struct explorer *self) {
    if (self->remembers)
        start_remembering(self);
    else
        start_resuming(self);
}
