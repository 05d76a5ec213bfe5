/* tail.c - see tail.h. */
#include "strategies/dpor/tail.h"

#include "strategies/dpor/step.h"

/* Returns true if the step ended as the join that it was: a cancellation, for example, can take its
 * place. */
static bool was_join(const struct dpor *self, const struct put_off *last) {
    const struct execution *execution = self->base.inputs->execution;
    return execution->event_count == last->event_first + 1 &&
           execution->events[last->event_first].op.kind == OP_JOIN;
}

/* Returns true if the last step of all was such a join, as far as is known. */
static bool goes_on(const struct dpor *self) {
    return self->tail_count == 0 || was_join(self, &self->tail[self->tail_count - 1]);
}

static bool is_planned_on(const struct dpor *self) {
    return self->at < self->depth || self->depth == 0 ||
           self->frames[self->depth - 1].tree->child != NULL;
}

bool tail_takes(const struct dpor *self, const struct choice *choice) {
    return choice->live == 1 && self->kind == DPOR_OPTIMAL && !is_planned_on(self) &&
           goes_on(self) && history_joins_freely(&self->history, choice->pending->op);
}

void tail_add(struct dpor *self, const struct pending *pending) {
    self->tail = pool_grow(self->pool, self->tail, &self->tail_capacity,
                           (size_t)self->tail_count + 1, sizeof *self->tail);
    self->tail[self->tail_count++] = (struct put_off){
        .op = *pending->op,
        .task = pending->task,
        .decision = self->decisions,
        .event_first = self->base.inputs->execution->event_count,
    };
}

bool tail_goes_on(struct dpor *self, const struct pending *pending) {
    bool takes =
        self->tail_count > 0 && goes_on(self) && history_joins_freely(&self->history, pending->op);
    if (takes)
        tail_add(self, pending);
    return takes;
}

static void make_up_for(struct dpor *self, const struct put_off *step) {
    struct pending pending = {.task = step->task, .op = &step->op};
    struct choice choice = {.tag = CHOICE_SCHEDULE, .count = 1, .live = 1, .pending = &pending};
    push_frame(self);
    struct frame *frame = top_of(self);
    frame->decision = step->decision;
    frame->event_first = step->event_first;
    frame->tree = move_ahead(self->pool, step->task, &step->op);
    history_add_state(&self->history, &choice);
    self->at++;
}

bool tail_catch_up(struct dpor *self) {
    for (uint32_t i = 0; i < self->tail_count; i++) {
        if (step_is_open(self))
            complete_step(self, false);
        make_up_for(self, &self->tail[i]);
    }
    self->tail_count = 0;
    return step_is_open(self);
}

bool tail_drop(struct dpor *self) {
    bool dropped = self->tail_count > 0 && goes_on(self);
    if (dropped)
        self->tail_count = 0;
    return dropped;
}
