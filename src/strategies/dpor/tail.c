/* tail.c - see tail.h. */
#include "strategies/dpor/tail.h"

#include "strategies/dpor/races.h"
#include "strategies/dpor/step.h"

/* Returns true if the step ended as the operation that it was: a cancellation, for example, can take
 * its place. */
static bool was_expected(const struct dpor *self, const struct put_off *last) {
    const struct execution *execution = self->base.inputs->execution;
    const struct event *event = &execution->events[last->event_first];
    return execution->event_count == last->event_first + 1 && event->op.kind == last->op.kind &&
           !(event->flags & EVENT_IDLE);
}

/* Returns true if the last step of all was such a step, as far as is known. */
static bool goes_on(const struct dpor *self) {
    return self->tail_count == 0 || was_expected(self, &self->tail[self->tail_count - 1]);
}

static bool is_planned_on(const struct dpor *self) {
    return self->at < self->depth || self->depth == 0 ||
           self->frames[self->depth - 1].tree->child != NULL;
}

/* Returns true for an access of memory, and for an operation on a lock: it brings no other task to
 * life, and chooses nothing. */
static bool stays_alone(const struct pending *pending) {
    const struct op_info *info = op_info(pending->op->kind);
    bool lock = info->about == ABOUT_MUTEX || info->about == ABOUT_RWLOCK ||
                info->about == ABOUT_SPIN || info->about == ABOUT_SEMAPHORE;
    return (info->class == CLASS_MEMORY || lock) && pending->look == 0 && !pending->op->timed;
}

/* Returns true if all steps of all tasks happen before what comes after the joins that were put
 * off. */
static bool knows_all(struct dpor *self) {
    struct history *history = &self->history;
    uint32_t last = history->last[self->tail[0].task];
    if (last == 0)
        return false;
    clock_row_copy(history->known, history->clocks + (size_t)(last - 1) * history->width,
                   history->width);
    for (uint32_t i = 0; i < self->tail_count; i++) {
        uint32_t target = self->tail[i].op.target;
        if (target < history->width && history->last[target] > 0)
            know_step(history, history->last[target] - 1);
    }
    return clock_row_above(history->last, history->known, history->width) == 0;
}

/* Returns true if the next step can be put off, if it is of the only live task and nothing is
 * planned. */
static bool takes(struct dpor *self, const struct pending *pending) {
    if (!goes_on(self))
        return false;
    if (history_joins_freely(&self->history, pending->op))
        return true;
    if (self->tail_count == 0 || !stays_alone(pending))
        return false;
    self->tail_knows = self->tail_knows || knows_all(self);
    return self->tail_knows;
}

bool tail_takes(struct dpor *self, const struct choice *choice) {
    return choice->live == 1 && self->kind == DPOR_OPTIMAL && !is_planned_on(self) &&
           takes(self, choice->pending);
}

void tail_add(struct dpor *self, const struct pending *pending) {
    self->tail_knows &= self->tail_count > 0;
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
    bool goes_on = self->tail_count > 0 && takes(self, pending);
    if (goes_on)
        tail_add(self, pending);
    return goes_on;
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
