/* pick.c - what comes next within an execution: the same step as in the execution before, then the
 * next move of the planned sequence, then, behind its end, a free choice. See pick.h, and dpor.c
 * for the whole. */
#include "strategies/dpor/pick.h"

#include "base/check.h"
#include "strategies/dpor/fair.h"
#include "strategies/dpor/plan.h"
#include "strategies/dpor/step.h"
#include "strategies/dpor/tail.h"

static bool is_join(enum op_kind kind) {
    return kind == OP_JOIN;
}

/* Prefers the task that moved last: few switches make few surprises. An operation for which `waits`
 * holds is taken only if there is no other. */
static uint32_t option_but(const struct choice *choice, bool (*waits)(enum op_kind kind)) {
    uint32_t option = choice_of_task(choice, choice->task);
    if (option < choice->count && !waits(choice->pending[option].op->kind))
        return option;
    for (option = 0; option < choice->count; option++)
        if (!waits(choice->pending[option].op->kind))
            return option;
    return 0;
}

static uint32_t awake_option(const struct dpor *self, const struct choice *choice) {
    uint32_t frame = self->depth - 1, option = choice_of_task(choice, choice->task);
    if (option < choice->count && !task_asleep(self, frame, choice->task))
        return option;
    for (option = 0; option < choice->count; option++)
        if (!task_asleep(self, frame, choice->pending[option].task))
            break;
    return option;
}

/* Chooses where nothing is planned. No move sleeps there with optimal and observers. With observers
 * a receive comes late: it is asked whether it would have taken other messages, so the more have
 * been sent, the better. With optimal a join comes late, because joins at the end are cheap
 * (tail.h). */
static uint32_t free_option(const struct dpor *self, const struct choice *choice) {
    if (self->kind == DPOR_OBSERVERS)
        return option_but(choice, op_receives);
    if (self->kind == DPOR_OPTIMAL)
        return option_but(choice, is_join);
    return awake_option(self, choice);
}

/* The option for a state where nothing is planned, or no more since its plan began with a parked
 * task. */
static uint32_t new_option(struct dpor *self, const struct choice *choice, bool parked) {
    if (parked)
        return awake_option(self, choice);
    if (within_bounds(&self->within))
        return switch_first(choice);
    return fair_option(self, choice, free_option(self, choice));
}

/* Returns true if the planned sequence has just ended with an idle step: all that is possible from
 * here is found without it. Returns false if something longer was left out because of this
 * sequence. */
static bool tried_in_vain(const struct dpor *self) {
    if (self->kind != DPOR_OPTIMAL || self->tried == 0 || self->history.count != self->tried ||
        self->frames[self->tried - 1].tree->child != NULL || !is_idle(self, self->tried - 1))
        return false;
    for (uint32_t i = self->fixed; i < self->tried; i++)
        if (self->frames[i].tree->counted_on)
            return false;
    return true;
}

/* Returns true if the task that is to move next in that state waits in a loop there: the sequence
 * was planned to come after another change of what the loop reads. The observers strategy plans
 * whole sequences. If one cannot be followed, it does not know which traces were lost, so it must
 * not report "verified". */
bool first_is_parked(struct dpor *self, uint32_t index) {
    const struct move *first = self->frames[index].tree;
    const struct waiting *waiting =
        first != NULL ? history_waiting(&self->history, index, move_task(first)) : NULL;
    bool parked = waiting != NULL && !waiting->enabled &&
                  !op_wait_is_known(history_op(&self->history, waiting)->kind);
    self->base.unsure |= parked && self->kind == DPOR_OBSERVERS;
    return parked;
}

/* Drops the plan of a frame whose planned task is parked: all that is possible from here is found
 * without the plan. */
static void drop_plan(struct dpor *self, struct frame *frame) {
    moves_free(self->pool, frame->tree);
    frame->tree = NULL;
}

/* Enters a state that the search has not met before. */
static uint32_t enter(struct dpor *self, const struct choice *choice) {
    push_frame(self);
    struct frame *frame = top_of(self);
    if (self->depth > 1) {
        struct move *above = self->frames[self->depth - 2].tree;
        frame->tree = above->child;
        above->child = NULL;
        share_own(&self->sequence.share, &frame->tree);
        frame->planned = frame->tree != NULL;
        bool sleeps = self->kind < DPOR_OPTIMAL || (self->kind == DPOR_OPTIMAL && frame->planned);
        if (sleeps && !within_bounds(&self->within))
            inherit(self, self->depth - 2);
    }
    history_add_state(&self->history, choice);
    if (within_bounds(&self->within))
        enter_within(self);
    bool parked = first_is_parked(self, self->depth - 1);
    if (parked)
        drop_plan(self, frame);
    if (frame->tree != NULL) {
        move_expect(frame->tree->child);
        self->tried = self->depth;
        return choice_of_task(choice, move_task(frame->tree));
    }
    uint32_t option = new_option(self, choice, parked);
    if (option == choice->count)
        return option;
    frame->tree = move_ahead(self->pool, choice->pending[option].task, choice->pending[option].op);
    return option;
}

/* Returns true if the step of the execution before is about to be repeated. The operation of that
 * step may differ from the one its task stood before: a cancellation may have come in its place. */
static bool is_same(const struct dpor *self, const struct event *before, enum op_kind kind) {
    return kind == before->op.kind ||
           kind == history_op_at(&self->history, self->at, before->task)->kind;
}

static uint32_t repeat(struct dpor *self, const struct choice *choice) {
    const struct event *before = &self->history.steps[self->at].event;
    uint32_t option = choice_of_task(choice, before->task);
    if (option < choice->count && is_same(self, before, choice->pending[option].op->kind))
        return option;
    return choice->count;
}

static uint32_t pick_task(struct dpor *self, const struct choice *choice) {
    uint32_t option;
    if (step_is_open(self))
        complete_step(self, false);
    if (tail_takes(self, choice)) {
        tail_add(self, choice->pending);
        return 0;
    }
    if (tail_catch_up(self))
        complete_step(self, false);
    if (self->at < self->fixed) {
        option = repeat(self, choice);
    } else if (self->at < self->depth) {
        option = choice_of_task(choice, move_task(self->frames[self->at].tree));
    } else if (self->at == self->tried && tried_in_vain(self)) {
        self->in_vain = true;
        return PICK_IDLE;
    } else {
        option = enter(self, choice);
        if (option == choice->count) { /* every enabled task sleeps */
            bool parked = self->kind == DPOR_OPTIMAL && top_of(self)->tree == NULL;
            CHECK(self->kind < DPOR_OPTIMAL || parked || self->base.inputs->racy ||
                  self->sections.grown);
            pop_frame(self);
            return parked ? PICK_IDLE : PICK_NOTHING;
        }
    }
    if (option == choice->count)
        return PICK_DIVERGED;
    sections_begin(&self->sections);
    self->frames[self->at].event_first = self->base.inputs->execution->event_count;
    self->repeated = 0;
    self->at++;
    return option;
}

/* Chooses an option within a step. */
static uint32_t pick_value(struct dpor *self, const struct choice *choice) {
    tail_catch_up(self);
    uint32_t index = self->at - 1;
    struct frame *frame = &self->frames[index];
    if (index < self->fixed) {
        const struct chosen *before = &self->choices[frame->choice_first + self->repeated++];
        bool same =
            before < self->choices + choices_end(self, index) && before->count == choice->count;
        return same ? before->value : PICK_DIVERGED;
    }
    const struct label *label = frame->tree->label;
    uint32_t count = self->choice_count - frame->choice_first;
    struct chosen choices[CHOICES_MAX + 1];
    CHECK(count < CHOICES_MAX);
    for (uint32_t i = 0; i < count; i++)
        choices[i] = self->choices[frame->choice_first + i];
    choices[count] = (struct chosen){0, choice->count};
    if (count < label->choice_count)
        choices[count].value = label->choices[count].value;
    else
        while (choices[count].value < choice->count &&
               asleep(self, index, label->event.task, choices, count + 1))
            choices[count].value++;
    if (choices[count].value >= choice->count)
        choices[count].value = 0;
    self->choices = pool_grow(self->pool, self->choices, &self->choice_capacity,
                              (size_t)self->choice_count + 1, sizeof *self->choices);
    self->choices[self->choice_count++] = choices[count];
    return choices[count].value;
}

uint32_t dpor_pick(struct strategy *base, const struct choice *choice, struct keep *keep) {
    struct dpor *self = (struct dpor *)base;
    (void)keep;
    uint32_t picked =
        choice->tag == CHOICE_SCHEDULE ? pick_task(self, choice) : pick_value(self, choice);
    self->decisions++;
    return picked;
}

bool optimal_alone(struct strategy *base, const struct pending *alone) {
    struct dpor *self = (struct dpor *)base;
    bool goes_on = tail_goes_on(self, alone);
    self->decisions += goes_on;
    return goes_on;
}
