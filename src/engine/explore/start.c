/* start.c - where an execution begins: with the program, in a checkpoint of the last execution, or
 * in a state of the shelf. Also decides which states of this execution are saved for the next. */
#include "engine/explore/explorer.h"

/* Only the search comes back to its states, and only within a process that stays. */
static bool uses_checkpoints(const struct explorer *self) {
    return explorer_can_save(self) && self->strategy->ops->resume != NULL &&
           self->redo.decision_count == 0;
}

static void plan_checkpoint(struct explorer *self) {
    checkpoints_plan(&self->checkpoints, self->run->execution.decision_count, self->plan.prefix,
                     self->plan.returns);
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

/* Takes the next state of the shelf. From now on its decisions are those of the execution under
 * way. */
static void start_from_shelf(struct explorer *self) {
    struct execution *execution = &self->run->execution;
    struct image *image;
    const struct shelf_entry *entry = shelf_take(&self->shelf, execution, &image);
    checkpoints_forget(&self->checkpoints);
    self->inputs.bytes = entry->bytes;
    self->inputs.byte_count = entry->byte_count;
    self->plan.prefix = entry->facts.decisions;
    /* the state is taken once, even if the execution is restarted */
    self->plan.start = START_AT_PREFIX;
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

/* Starts where a strategy that goes by states wants to go on. */
static void start_by_states(struct explorer *self) {
    struct checkpoint *from = NULL;
    if (self->plan.start == START_ON_SHELF) {
        start_from_shelf(self);
    } else {
        shelf_went_back(&self->shelf, self->plan.prefix);
        from = checkpoints_latest(&self->checkpoints, self->plan.prefix);
        if (from != NULL)
            load_checkpoint(self, from);
        else
            start_afresh(self);
    }
    self->repeated_to = self->plan.prefix;
}

/* Starts as late as the decisions allow that the strategy will repeat. */
static void start_resuming(struct explorer *self) {
    bool resumes = uses_checkpoints(self);
    struct checkpoint *from = NULL;
    if (resumes)
        from = checkpoints_latest(&self->checkpoints, self->plan.prefix);
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
    if (self->plan.by_states)
        start_by_states(self);
    else
        start_resuming(self);
}
