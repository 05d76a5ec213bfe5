/* step.c - see step.h. */
#include "strategies/dpor/step.h"

#include "base/check.h"
#include "event/dependence.h"

static const struct event *event_of_step(const struct dpor *self, const struct frame *frame) {
    const struct execution *execution = self->base.inputs->execution;
    for (uint32_t i = frame->event_first; i < execution->event_count; i++)
        if (!(execution->events[i].flags & EVENT_NOTE))
            return &execution->events[i];
    return NULL;
}

static bool planned(const struct frame *frame, uint32_t task, const struct chosen *choices,
                    uint32_t count) {
    for (const struct move *move = frame->tree; move != NULL; move = move->next)
        if (move_task(move) == task && move->label->choice_count == count &&
            begins(move, choices, count))
            return true;
    return false;
}

/* Returns the tag of the choice with that number within the step under way. */
static enum choice_tag tag_of(const struct dpor *self, const struct frame *frame, uint32_t number) {
    const struct execution *execution = self->base.inputs->execution;
    uint32_t at = frame->decision + 1 + number; /* decisions of the step follow that for its task */
    return at < execution->decision_count ? execution->decisions[at].tag : CHOICE_VALUE;
}

/* Plans the other options of the choices that the move under way was free to make, right behind
 * this move. */
static void plan_alternatives(struct dpor *self, uint32_t index, uint32_t free_from) {
    struct frame *frame = &self->frames[index];
    struct move *move = frame->tree;
    const struct label *label = move->label;
    struct event ahead = label->event;
    struct chosen choices[CHOICES_MAX + 1];
    CHECK(label->choice_count <= CHOICES_MAX);
    ahead.flags |= EVENT_AHEAD;
    for (uint32_t i = 0; i < label->choice_count; i++) {
        choices[i] = label->choices[i];
        for (uint32_t value = choices[i].count; i >= free_from && value-- > choices[i].value + 1;) {
            struct chosen taken = choices[i];
            choices[i].value = value;
            if (!asleep(self, index, ahead.task, choices, i + 1) &&
                !planned(frame, ahead.task, choices, i + 1)) {
                struct label *option = label_new(self->pool, &ahead, choices, i + 1);
                struct move *other = move_new(self->pool, option);
                other->next = move->next;
                move->next = other;
                branches_add_choice(self->branches, &label->event, tag_of(self, frame, i), value,
                                    choices[i].count);
            }
            choices[i] = taken;
        }
    }
}

/* Adds the tasks that the step created, those created within an atomic section as well. */
static void add_tasks(struct dpor *self, const struct frame *frame) {
    const struct execution *execution = self->base.inputs->execution;
    for (uint32_t i = frame->event_first; i < execution->event_count; i++) {
        const struct event *event = &execution->events[i];
        if (event->op.kind == OP_CREATE && event->op.target != NO_TASK &&
            !(event->flags & (EVENT_FAILED | EVENT_NOTE)))
            history_add_task(&self->history, event->op.target);
    }
}

/* Returns how many sections of the task came before. Its last one knows how many came before that
 * one: its event has no note in the history. */
static uint32_t count_sections(const struct history *history, uint32_t task) {
    uint32_t step = history->last[task] - 1; /* NO_STEP if `last` is 0 */
    while (step != NO_STEP && history->steps[step].event.op.kind != OP_ATOMIC)
        step = history->steps[step].previous;
    return step != NO_STEP ? history->steps[step].event.note + 1 : 0;
}

static void find_footprint(struct dpor *self, const struct frame *frame, struct event *event) {
    event->note = count_sections(&self->history, event->task);
    event->footprint = (uint64_t)sections_end(&self->sections, self->base.inputs->execution,
                                              frame->event_first, event->note);
}

void complete_step(struct dpor *self, bool fatal) {
    struct frame *frame = top_of(self);
    struct move *move = frame->tree;
    uint32_t free_from = move->label->choice_count;
    uint32_t count = self->choice_count - frame->choice_first;
    const struct event *happened = event_of_step(self, frame);
    struct event event = happened != NULL ? *happened : move->label->event;
    event.flags &= ~(uint32_t)EVENT_AHEAD;
    if (event.op.kind == OP_ATOMIC && happened != NULL && !fatal)
        find_footprint(self, frame, &event);
    self->waits |= (event.flags & EVENT_IDLE) != 0;
    if (fatal)
        event.flags |= EVENT_FATAL;
    if (self->kind == DPOR_OBSERVERS)
        observe_step(&self->observe, &event);
    move_happened(self->pool, move, &event, self->choices + frame->choice_first, count);
    if (count > free_from)
        plan_alternatives(self, self->depth - 1, free_from);
    history_add_step(&self->history, &event);
    add_tasks(self, frame);
}
