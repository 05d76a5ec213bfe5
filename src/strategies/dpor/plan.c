/* plan.c - what a race says must be tried. See plan.h, and dpor.c for the whole. */
#include "strategies/dpor/plan.h"

#include <string.h>

#include "base/check.h"
#include "strategies/dpor/cover.h"
#include "strategies/strategies.h"

/* --- what is planned ------------------------------------------------------------------------ */

static bool has_task(const struct move *moves, uint32_t task) {
    for (; moves != NULL; moves = moves->next)
        if (move_task(moves) == task)
            return true;
    return false;
}

static bool explores(const struct frame *frame, uint32_t task) {
    return has_task(frame->tree, task) || has_task(frame->done, task);
}

/* Records that something new was planned for this race. */
static void note_race(struct dpor *self, const struct race *race) {
    uint32_t first = race->first, second = race->second;
    const uint32_t at[2] = {self->frames[first].decision,
                            second == NO_STEP ? BRANCH_AHEAD : self->frames[second].decision};
    branches_add_race(self->branches, &self->history.steps[first].event, &race->last, at);
}

/* `race` is the race that the task is planned for, or NULL. */
static void plan_task(struct dpor *self, const struct race *race, uint32_t index, uint32_t task) {
    struct frame *frame = &self->frames[index];
    const struct waiting *waiting = history_waiting(&self->history, index, task);
    if (explores(frame, task))
        return;
    CHECK(waiting != NULL && waiting->enabled);
    move_append(&frame->tree, move_ahead(self->pool, task, history_op(&self->history, waiting)));
    if (race != NULL)
        note_race(self, race);
}

void plan_task_at(struct dpor *self, uint32_t step, uint32_t task) {
    plan_task(self, NULL, step, task);
}

/* --- within a bound on preemptions or delays (within.h) --------------------------------------- */

/* Plans all enabled tasks that cost no more than `cost`. */
static void plan_up_to(struct dpor *self, const struct race *race, uint32_t index, uint32_t cost) {
    struct choice choice = within_state(&self->within, index);
    for (uint32_t i = 0; i < choice.count; i++) {
        uint32_t price = switch_cost(&self->within.bound, &choice, i);
        if (price > cost)
            continue;
        if (self->frames[index].spent + price <= self->within.bound.limit)
            plan_task(self, race, index, choice.pending[i].task);
        else
            self->base.hid_options = true;
    }
}

static void plan_within(struct dpor *self, const struct race *race, uint32_t index, uint32_t task) {
    uint32_t cost = within_cost(&self->within, index, task);
    if (self->within.bound.kind == BOUND_DELAYS)
        plan_up_to(self, race, index, cost);
    else if (self->frames[index].spent + cost <= self->within.bound.limit)
        plan_task(self, race, index, task);
    else
        self->base.hid_options = true;
}

static void plan_second(struct dpor *self, const struct race *race, uint32_t index) {
    const struct waiting *waiting = history_waiting(&self->history, index, race->last.task);
    if (waiting != NULL && waiting->enabled)
        plan_within(self, race, index, race->last.task);
    else
        plan_up_to(self, race, index, UINT32_MAX);
}

/* Plans one of the tasks that can begin what leads to the second step, and does not count any other
 * task as such: a reduction may have moved it to the front by switches that the bound does not pay
 * for. */
static void plan_initial(struct dpor *self, const struct race *race, uint32_t index) {
    uint32_t count = within_initials(&self->within, race, index), best = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t task = self->history.steps[self->within.steps[i]].event.task;
        uint32_t cost = within_cost(&self->within, index, task);
        if (explores(&self->frames[index], task))
            return;
        if (cost < least) {
            least = cost;
            best = task;
        }
    }
    if (count > 0)
        plan_within(self, race, index, best);
    else
        plan_second(self, race, index);
}

static void plan_there(struct dpor *self, const struct race *race, uint32_t index) {
    if (race->untold)
        plan_up_to(self, race, index, UINT32_MAX);
    else if (self->kind == DPOR_SOURCE)
        plan_initial(self, race, index);
    else
        plan_second(self, race, index);
}

static void plan_bounded(struct dpor *self, const struct race *race) {
    if (!within_counts(&self->within, race))
        return;
    plan_there(self, race, race->first);
    if (self->within.bound.kind == BOUND_PREEMPTIONS)
        plan_there(self, race, within_run(&self->within, race->first));
}

void plan_joins(struct dpor *self) {
    struct race race;
    for (uint32_t i = self->fixed; i < self->history.count; i++)
        if (within_join(&self->within, i, &race))
            plan_bounded(self, &race);
}

void enter_within(struct dpor *self) {
    uint32_t index = self->depth - 1;
    if (index == 0)
        return;
    self->frames[index].spent =
        self->frames[index - 1].spent +
        within_cost(&self->within, index - 1, self->history.steps[index - 1].event.task);
    within_add_blocked(&self->within);
    if (self->within.bound.kind == BOUND_DELAYS && within_enables(&self->within, index - 1))
        plan_up_to(self, NULL, index - 1, UINT32_MAX);
}

/* --- races ---------------------------------------------------------------------------------- */

static bool after_left_out(const struct dpor *self, uint32_t step) {
    for (uint32_t i = 0; i < self->left_out_count; i++)
        if (happens_before(&self->history, self->left_out[i], step))
            return true;
    return false;
}

static void leave_out(struct dpor *self, uint32_t step) {
    CHECK(self->left_out_count < LEFT_OUT_MAX);
    self->left_out[self->left_out_count++] = step;
}

/* Collects the steps that led to the second step of a race, without the first: all steps that do
 * not happen after the first. The other steps are expected to come later; only their choices
 * matter. */
static void gather(struct dpor *self, const struct race *race) {
    const struct history *history = &self->history;
    struct sequence *sequence = &self->sequence;
    self->left_out_count = 0;
    leave_out(self, race->first);
    for (uint32_t i = race->first; i < history->count; i++) {
        if (i == race->second || is_idle(self, i))
            continue;
        bool later = after_left_out(self, i);
        if (!later && race->alone && history_in_the_way(history, i, race)) {
            leave_out(self, i);
            later = true;
        }
        if (!later)
            sequence_add(sequence, i, move_of(self, i)->label);
        else
            sequence_leave_out(sequence, i, move_of(self, i)->label);
    }
}

static void find_others(struct dpor *self, uint32_t step) {
    const struct history *history = &self->history;
    self->others_of = step;
    self->others_count = 0;
    self->others = pool_grow(self->pool, self->others, &self->others_capacity, history->count,
                             sizeof *self->others);
    for (uint32_t i = step + 1; i < history->count; i++)
        if (!happens_before(history, step, i) && !is_idle(self, i))
            self->others[self->others_count++] = i;
}

/* Does the same where no step has choices: then the result is the same for all races with that
 * first step. */
static void gather_others(struct dpor *self, const struct race *race) {
    if (self->others_of != race->first)
        find_others(self, race->first);
    for (uint32_t i = 0; i < self->others_count; i++)
        sequence_add(&self->sequence, self->others[i], move_of(self, self->others[i])->label);
}

static void make_sequence(struct dpor *self, struct race *race) {
    struct sequence *sequence = &self->sequence;
    sequence_begin(sequence);
    if (race->alone || self->choice_count > 0)
        gather(self, race);
    else
        gather_others(self, race);
    race->extent = sequence->count ? sequence->elements[sequence->count - 1].step : 0;
    if (!race->unsure)
        sequence_end(sequence, race,
                     race->second == NO_STEP ? NULL : move_of(self, race->second)->label);
}

/* Returns true if the sequence may begin with every sleeping move of this task, and every option of
 * the task sleeps. */
static bool covered_by_all(const struct dpor *self, uint32_t frame, uint32_t task) {
    struct sleepers sleepers = sleepers_of(self, frame);
    const struct move *move;
    uint32_t at;
    while ((move = next_sleeper(&sleepers)) != NULL)
        if (move_task(move) == task && sequence_begins(&self->sequence, move, &at) == BEGINS_NOT)
            return false;
    return task_asleep(self, frame, task);
}

/* Returns true if a move that sleeps in that state covers the sequence: the sequence may begin with
 * it. If the task of the move had a choice there, and the sequence does not say which option, then
 * the moves cover it only all together. */
static bool covered_by_sleepers(const struct dpor *self, uint32_t frame) {
    struct sleepers sleepers = sleepers_of(self, frame);
    const struct move *move;
    uint32_t at;
    while ((move = next_sleeper(&sleepers)) != NULL) {
        enum begins begins = sequence_begins(&self->sequence, move, &at);
        if (begins == BEGINS_WITH || begins == BEGINS_FREE ||
            (begins == BEGINS_PARTLY && covered_by_all(self, frame, move_task(move))))
            return true;
    }
    return false;
}

/* Inserts the sequence into `tree`, a tree of the frame or the part of it behind the move under
 * way. */
static bool insert(struct dpor *self, struct frame *frame, struct move **tree) {
    struct sequence *sequence = &self->sequence;
    if (sequence_insert(sequence, tree, &frame->cover))
        return true;
    bool first = sequence->counted_first, one = sequence->from + 1 == sequence->count;
    count_on(self, frame, sequence->counted_on, first && sequence->from == sequence->count,
             first && one ? sequence_event(sequence, sequence->from) : NULL);
    return false;
}

/* Plans the sequence in the state before that step. */
static bool insert_before(struct dpor *self, uint32_t step) {
    return insert(self, &self->frames[step], &self->frames[step].tree->next);
}

void plan_spares(struct dpor *self, struct frame *frame, const struct move *leaf) {
    struct spare *spares = take_spares(frame, leaf);
    for (const struct spare *spare = spares; spare != NULL; spare = spare->next) {
        sequence_begin(&self->sequence);
        sequence_close(&self->sequence, NULL, &spare->event);
        if (!covered_by_sleepers(self, (uint32_t)(frame - self->frames)))
            insert(self, frame, &frame->tree);
    }
    free_spares(self, spares);
}

static void plan_optimal(struct dpor *self, struct race *race) {
    enum cover cover = cover_race(self, race);
    if (cover == COVER_UNKNOWN) {
        make_sequence(self, race);
        if (!covered_by_sleepers(self, race->first) && insert_before(self, race->first))
            cover = COVER_ADDED;
    }
    if (cover == COVER_ADDED)
        note_race(self, race);
}

/* Puts the steps between two frames in front of the sequence. */
static void lead_to_sequence(struct dpor *self, uint32_t first, uint32_t frame) {
    struct sequence *sequence = &self->sequence;
    uint32_t count = frame - first, length = sequence->count;
    for (uint32_t i = 0; i < count; i++)
        sequence_add(sequence, first + i, move_of(self, first + i)->label);
    memmove(sequence->elements + count, sequence->elements, length * sizeof *sequence->elements);
    for (uint32_t i = 0; i < count; i++)
        sequence->elements[i] = (struct element){
            .label = move_of(self, first + i)->label,
            .step = first + i,
            .task = self->history.steps[first + i].event.task,
        };
}

/* Returns true if a done move covers the sequence in this state, or in an earlier one from which a
 * planned sequence leads here. For an earlier state the steps since then are put in front of the
 * sequence, and taken out again. */
static bool covered_by_done(struct dpor *self, uint32_t frame) {
    uint32_t first = frame, at = frame;
    bool covered = false;
    while (self->frames[first].planned)
        first--;
    lead_to_sequence(self, first, frame);
    do {
        sequence_look_from(&self->sequence, at - first);
        covered = self->frames[at].done != NULL && covered_by_sleepers(self, at);
    } while (!covered && at-- > first);
    sequence_drop(&self->sequence, frame - first);
    return covered;
}

static void plan_observed(struct dpor *self, struct race *race) {
    uint32_t observer = observe_observer(&self->observe, race);
    if (observer == NO_STEP)
        make_sequence(self, race);
    else
        observe_reverse(&self->observe, &self->sequence, race, observer);
    if (!covered_by_done(self, race->first) && insert_before(self, race->first))
        note_race(self, race);
}

static void plan_source(struct dpor *self, struct race *race) {
    const struct frame *frame = &self->frames[race->first];
    uint32_t chosen = NO_TASK;
    make_sequence(self, race);
    for (uint32_t i = 0; i < self->sequence.count; i++) {
        uint32_t task = sequence_event(&self->sequence, i)->task;
        if (!sequence_initial(&self->sequence, i))
            continue;
        if (explores(frame, task))
            return;
        if (chosen == NO_TASK)
            chosen = task;
    }
    plan_task(self, race, race->first, chosen);
}

/* Plans every task that was enabled before the first step of the race. If nobody knows what the
 * second step waits for, no choice among these tasks is safe: the tasks that are left out may be
 * those that enable it. The sequence that led to the second step does not help either. A move that
 * is independent of the sequence would cover it, although it may disable the second step. */
static void plan_everybody(struct dpor *self, const struct race *race) {
    const struct history *history = &self->history;
    for (uint32_t task = 0; task < history->width; task++) {
        const struct waiting *waiting = history_waiting(history, race->first, task);
        if (waiting != NULL && waiting->enabled)
            plan_task(self, race, race->first, task);
    }
}

/* If the second task sleeps in that state, it will not be tried, so its own races with other tasks
 * are not met. Then all enabled tasks must be tried, as if that task were blocked. */
static void plan_classic(struct dpor *self, struct race *race) {
    const struct history *history = &self->history;
    const struct waiting *waiting = history_waiting(history, race->first, race->last.task);
    if (waiting != NULL && waiting->enabled && !task_asleep(self, race->first, race->last.task)) {
        plan_task(self, race, race->first, race->last.task);
        return;
    }
    plan_everybody(self, race);
}

void plan(struct dpor *self, struct race *race) {
    if (within_bounds(&self->within)) {
        plan_bounded(self, race);
        return;
    }
    if (race->untold) {
        plan_everybody(self, race);
        return;
    }
    switch (self->kind) {
    case DPOR_CLASSIC: plan_classic(self, race); break;
    case DPOR_SOURCE: plan_source(self, race); break;
    case DPOR_OPTIMAL: plan_optimal(self, race); break;
    case DPOR_OBSERVERS: plan_observed(self, race); break;
    }
}
