/* dpor.c - dynamic partial order reduction: classic, source, optimal and observers (seed 002, and the JACM
 * paper on source sets and wakeup trees).
 *
 * The stack holds a frame for each step of the execution under way: the moves still to be explored from
 * the state before it (a wakeup tree, its leftmost move being the one under way), those that have been
 * (they sleep there), and those that sleep from above. At the end of an execution the races among its
 * new steps are looked at; each says that something else must be tried in the state before its first
 * step. The four differ in what that is:
 *
 *   classic   the task of the second step; if that was not enabled there, everybody who was
 *   source    one of the tasks that can begin what led to the second step, unless one is there
 *   optimal   all of what led to the second step, unless what sleeps or is planned there covers it
 *   observers the same, and on to who can see the difference, if somebody must (observe.h)
 *
 * With optimal no execution is ever blocked by sleep sets: that is a theorem, and checked. A sequence
 * is planned only if it wakes all that sleeps, so nobody sleeps where it ends. Two things make this less
 * than exact: what comes of the last step of a sequence is a prediction (history_predict), which may be
 * too careful; and of a task that may choose only one choice may sleep. Where a sequence ends everybody
 * is awake nevertheless, since others count on it for all that begins with it: that costs an execution
 * more, and never one that is needed.
 *
 * With observers nobody sleeps: whether a move is independent of what came since may change with what comes.
 * Instead all that is done on the way of a sequence is compared with all of the way and the sequence.
 *
 * What is chosen within a step (values, wake-ups, time-outs) makes it another move. A move that is free
 * to choose takes the first option and plans the others beside itself.
 *
 * Within a bound on preemptions or delays classic and source do it differently: see within.h. */
#include "strategies/strategies.h"

#include "base/check.h"
#include "event/dependence.h"
#include "strategies/dpor/plan.h"
#include "strategies/dpor/step.h"
#include "strategies/dpor/tail.h"

static struct strategy *create(struct pool *pool, const struct options *options,
                               enum dpor_kind kind, const struct strategy_ops *ops) {
    struct dpor *self = pool_alloc(pool, sizeof *self);
    self->base.ops = ops;
    self->pool = pool;
    self->kind = kind;
    self->bound = options->divergences;
    history_init(&self->history, pool);
    within_init(&self->within, options, &self->history);
    CHECK(kind != DPOR_OPTIMAL || !within_bounds(&self->within));
    sequence_init(&self->sequence, pool, &self->history);
    if (kind == DPOR_OBSERVERS) {
        observe_init(&self->observe, pool, &self->history);
        self->sequence.order = &observed_order;
    }
    return &self->base;
}

/* --- choosing ------------------------------------------------------------------------------- */

static uint32_t option_of(const struct choice *choice, uint32_t task) {
    uint32_t option = 0;
    while (option < choice->count && choice->pending[option].task != task)
        option++;
    return option;
}

static bool is_join(enum op_kind kind) {
    return kind == OP_JOIN;
}

/* Who moved last, if that is possible: few switches make few surprises. But some had better wait. */
static uint32_t option_but(const struct choice *choice, bool (*waits)(enum op_kind kind)) {
    uint32_t option = option_of(choice, choice->task);
    if (option < choice->count && !waits(choice->pending[option].op->kind))
        return option;
    for (option = 0; option < choice->count; option++)
        if (!waits(choice->pending[option].op->kind))
            return option;
    return 0;
}

static uint32_t awake_option(const struct dpor *self, const struct choice *choice) {
    uint32_t frame = self->depth - 1, option = option_of(choice, choice->task);
    if (option < choice->count && !task_asleep(self, frame, choice->task))
        return option;
    for (option = 0; option < choice->count; option++)
        if (!task_asleep(self, frame, choice->pending[option].task))
            break;
    return option;
}

/* Where nothing is planned. With optimal and observers nobody sleeps there. A receive is asked whether it
 * would have taken other messages: the more there are, the better. Joins at the end are cheap (tail.h). */
static uint32_t free_option(const struct dpor *self, const struct choice *choice) {
    if (within_bounds(&self->within))
        return switch_first(choice);
    if (self->kind == DPOR_OBSERVERS)
        return option_but(choice, op_receives);
    if (self->kind == DPOR_OPTIMAL)
        return option_but(choice, is_join);
    return awake_option(self, choice);
}

/* The sequence that was planned is over, and its last step only made its task wait: all that comes from
 * here comes without it. Unless something else was not planned because of this sequence. */
static bool tried_in_vain(const struct dpor *self) {
    if (self->kind != DPOR_OPTIMAL || self->tried == 0 || self->history.count != self->tried ||
        self->frames[self->tried - 1].tree->child != NULL || !is_idle(self, self->tried - 1))
        return false;
    for (uint32_t i = self->fixed; i < self->tried; i++)
        if (self->frames[i].tree->counted_on)
            return false;
    return true;
}

/* Whoever is to move next in that state waits in a loop there: what was to come after another change comes too
 * early. Who goes by what can be seen, of whole sequences, cannot say what is lost without it. */
static bool first_is_parked(struct dpor *self, uint32_t index) {
    const struct move *first = self->frames[index].tree;
    const struct waiting *waiting =
        first != NULL ? history_waiting(&self->history, index, first->event.task) : NULL;
    bool parked = waiting != NULL && !waiting->enabled && !may_wait(waiting->op.kind);
    self->base.unsure |= parked && self->kind == DPOR_OBSERVERS;
    return parked;
}

/* Nothing is planned here any more: all that is possible from here is found without it. */
static void drop_plan(struct dpor *self, struct frame *frame) {
    moves_free(self->pool, frame->tree);
    frame->tree = NULL;
}

/* A state that was not met before. */
static uint32_t enter(struct dpor *self, const struct choice *choice) {
    push_frame(self);
    struct frame *frame = top_of(self);
    if (self->depth > 1) {
        struct move *above = self->frames[self->depth - 2].tree;
        frame->tree = above->child;
        above->child = NULL;
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
        return option_of(choice, frame->tree->event.task);
    }
    uint32_t option = parked ? awake_option(self, choice) : free_option(self, choice);
    if (option == choice->count)
        return option;
    frame->tree = move_ahead(self->pool, choice->pending[option].task, choice->pending[option].op);
    return option;
}

/* What came of a step may have been something else than what its task stood before: a cancellation. */
static bool is_same(const struct dpor *self, const struct event *before, enum op_kind kind) {
    return kind == before->op.kind ||
           kind == history_waiting(&self->history, self->at, before->task)->op.kind;
}

static uint32_t repeat(struct dpor *self, const struct choice *choice) {
    const struct event *before = &self->history.steps[self->at].event;
    uint32_t option = option_of(choice, before->task);
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
        option = option_of(choice, self->frames[self->at].tree->event.task);
    } else if (self->at == self->tried && tried_in_vain(self)) {
        self->in_vain = true;
        return PICK_IDLE;
    } else {
        option = enter(self, choice);
        if (option == choice->count) { /* everything that is enabled sleeps */
            bool parked = self->kind == DPOR_OPTIMAL && top_of(self)->tree == NULL;
            CHECK(self->kind < DPOR_OPTIMAL || parked || self->base.racy);
            pop_frame(self);
            return parked ? PICK_IDLE : PICK_NOTHING;
        }
    }
    if (option == choice->count) {
        self->base.diverged = true;
        return PICK_NOTHING;
    }
    self->frames[self->at].event_first = self->base.execution->event_count;
    self->repeated = 0;
    self->at++;
    return option;
}

/* Within a step. */
static uint32_t pick_value(struct dpor *self, const struct choice *choice) {
    tail_catch_up(self);
    uint32_t index = self->at - 1;
    struct frame *frame = &self->frames[index];
    if (index < self->fixed) {
        const struct chosen *before = &self->choices[frame->choice_first + self->repeated++];
        bool same =
            before < self->choices + choices_end(self, index) && before->count == choice->count;
        self->base.diverged |= !same;
        return same ? before->value : PICK_NOTHING;
    }
    const struct move *move = frame->tree;
    uint32_t count = self->choice_count - frame->choice_first;
    struct chosen choices[CHOICES_MAX + 1];
    CHECK(count < CHOICES_MAX);
    for (uint32_t i = 0; i < count; i++)
        choices[i] = self->choices[frame->choice_first + i];
    choices[count] = (struct chosen){0, choice->count};
    if (count < move->choice_count)
        choices[count].value = move->choices[count].value;
    else
        while (choices[count].value < choice->count &&
               asleep(self, index, move->event.task, choices, count + 1))
            choices[count].value++;
    if (choices[count].value >= choice->count)
        choices[count].value = 0;
    self->choices = pool_grow(self->pool, self->choices, &self->choice_capacity,
                              (size_t)self->choice_count + 1, sizeof *self->choices);
    self->choices[self->choice_count++] = choices[count];
    return choices[count].value;
}

static uint32_t dpor_pick(struct strategy *base, const struct choice *choice) {
    struct dpor *self = (struct dpor *)base;
    uint32_t picked =
        choice->tag == CHOICE_SCHEDULE ? pick_task(self, choice) : pick_value(self, choice);
    self->decisions++;
    return picked;
}

static bool optimal_alone(struct strategy *base, const struct pending *alone) {
    struct dpor *self = (struct dpor *)base;
    bool goes_on = tail_goes_on(self, alone);
    self->decisions += goes_on;
    return goes_on;
}

/* The step that did this was the last one for everybody. */
static bool is_fatal(enum outcome outcome) {
    return outcome == OUTCOME_FAILED || outcome == OUTCOME_DROPPED;
}

/* --- executions ----------------------------------------------------------------------------- */

/* What every task stands before takes part in races, though it did not happen; but for the one in whose
 * step the execution ended. */
static void add_pending(struct dpor *self, enum outcome outcome, const struct choice *last) {
    struct history *history = &self->history;
    if (history->count == 0)
        return;
    uint32_t mover = history->steps[history->count - 1].event.task;
    if (is_fatal(outcome) || last == NULL) { /* what is to be seen now is in disorder */
        for (uint32_t task = 0; task < history->width; task++) {
            const struct waiting *waiting = history_waiting(history, history->count - 1, task);
            if (waiting != NULL && task != mover)
                history_add_pending(history, task, &waiting->op);
        }
        return;
    }
    for (uint32_t i = 0; i < last->live; i++)
        if (outcome != OUTCOME_ENDED || last->pending[i].task != mover)
            history_add_pending(history, last->pending[i].task, last->pending[i].op);
}

/* What is known of every step of the execution from `fixed` on: the least of their clocks. */
static void find_floor(struct dpor *self) {
    const struct history *history = &self->history;
    self->floor = pool_grow(self->pool, self->floor, &self->floor_capacity, history->width,
                            sizeof *self->floor);
    for (uint32_t task = 0; task < history->width; task++)
        self->floor[task] = INT32_MAX;
    for (uint32_t i = self->fixed; i < history->count; i++)
        clock_row_meet(self->floor, history->clocks + (size_t)i * history->width, history->width);
    self->floor_known = true;
}

/* The race was there before, and so was all that led to its second step: the rest happens after its
 * first. */
static bool is_settled(struct dpor *self, const struct race *race) {
    if (race->second >= self->fixed)
        return false;
    if (race->proof < self->fixed)
        return true;
    if (race->extent >= self->fixed)
        return false;
    if (!self->floor_known)
        find_floor(self);
    return self->floor[self->history.steps[race->first].event.task] > race->first;
}

/* With optimal also the races between steps that were there before: what led to the second of them is
 * more, and other, in each execution; and a sequence that was covered by what sleeps counts on that. */
static uint32_t first_race(const struct dpor *self) {
    return self->kind >= DPOR_OPTIMAL ? 0 : self->old_races;
}

/* Who observes what is known now. */
static void observe_execution(struct dpor *self, const struct choice *last) {
    struct sequence *whole = &self->observe.whole;
    sequence_begin(whole);
    for (uint32_t i = 0; i < self->history.count; i++)
        sequence_add(whole, i, move_of(self, i));
    observe_end(&self->observe, last);
}

/* Of one that was tried in vain only the last step is looked at: it could have come earlier still. */
static bool concerns(const struct dpor *self, const struct race *race) {
    return !self->in_vain || race->second == self->history.count - 1;
}

/* An execution that ends before its new decision is not the one that was to be repeated. */
static void dpor_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    struct dpor *self = (struct dpor *)base;
    if (self->at < self->depth)
        base->diverged = true;
    if (base->diverged || outcome == OUTCOME_ERROR)
        return;
    bool alone = outcome == OUTCOME_ENDED && tail_drop(self); /* nobody stands before anything */
    tail_catch_up(self);
    if (step_is_open(self))
        complete_step(self, is_fatal(outcome));
    if (self->kind == DPOR_OBSERVERS)
        observe_execution(self, last);
    if (outcome != OUTCOME_IDLE && !alone)
        add_pending(self, outcome, last);
    self->floor_known = false;
    self->others_of = NO_STEP;
    for (uint32_t i = first_race(self); i < self->history.race_count; i++)
        if (concerns(self, &self->history.races[i]) &&
            (self->kind == DPOR_OBSERVERS || !is_settled(self, &self->history.races[i])))
            plan(self, &self->history.races[i]);
    if (within_bounds(&self->within))
        plan_joins(self);
}

/* How often the execution leaves one that was explored before: wherever something has been tried
 * already (002, section 5.2). */
static uint32_t divergences(const struct dpor *self) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->depth; i++)
        count += self->frames[i].done != NULL;
    return count;
}

/* Drops what is planned in the top frame, if that would be one divergence too many. */
static void keep_to_bound(struct dpor *self) {
    struct frame *frame = top_of(self);
    if (self->bound < 0 || frame->tree == NULL || divergences(self) <= (uint32_t)self->bound)
        return;
    moves_free(self->pool, frame->tree);
    frame->tree = NULL;
    self->base.hid_options = true;
}

/* The move under way is done, and sleeps; but one that was tried in vain stands for nothing. */
static void finish_move(struct dpor *self, struct frame *frame) {
    struct move *move = frame->tree;
    frame->tree = move->next;
    frame->cover = NULL;
    move->next = NULL;
    if (self->in_vain) {
        plan_spares(self, frame, move);
        moves_free(self->pool, move);
        self->in_vain = frame->tree == NULL && frame->done == NULL;
        return;
    }
    free_spares(self, take_spares(frame, move));
    move->next = frame->done;
    frame->done = move;
}

/* The same in a state that was met before: a round of the loop would change nothing, so what was to come
 * after it comes at once. */
static void skip_parked(struct dpor *self) {
    struct frame *frame = top_of(self);
    while (first_is_parked(self, self->depth - 1)) {
        struct move *move = frame->tree;
        move_append(&move->child, move->next);
        frame->tree = move->child;
        move->next = move->child = NULL;
        frame->cover = NULL;
        plan_spares(self, frame, move);
        moves_free(self->pool, move);
    }
}

/* What comes next in the top frame stands first in its tree, if there is anything. */
static void find_next(struct dpor *self, const struct frame *frame) {
    const struct move *first;
    do {
        skip_parked(self);
        first = frame->tree;
        drop_sleeping(self, self->depth - 1);
    } while (frame->tree != first);
}

static bool backtrack(struct dpor *self) {
    while (self->depth > 0) {
        struct frame *frame = top_of(self);
        finish_move(self, frame);
        self->choice_count = frame->choice_first;
        find_next(self, frame);
        keep_to_bound(self);
        if (frame->tree != NULL)
            return true;
        pop_frame(self);
    }
    return false;
}

static bool dpor_begin(struct strategy *base) {
    struct dpor *self = (struct dpor *)base;
    if (self->started && !backtrack(self))
        return false;
    self->fixed = self->started ? self->depth - 1 : 0;
    base->prefix = self->started ? self->frames[self->fixed].decision : 0;
    base->returns = self->started && top_of(self)->tree->next != NULL;
    self->tried = self->started ? self->depth : 0;
    if (self->started)
        move_expect(top_of(self)->tree->child);
    self->started = true;
    history_cut(&self->history, self->fixed);
    self->old_races = self->history.race_count;
    self->at = self->decisions = self->tail_count = 0;
    if (self->kind == DPOR_OBSERVERS)
        observe_begin(&self->observe);
    return true;
}

/* The frame that was entered after so many decisions. */
static void dpor_resume(struct strategy *base, uint32_t decisions) {
    struct dpor *self = (struct dpor *)base;
    uint32_t low = 0, high = self->fixed;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (self->frames[middle].decision < decisions)
            low = middle + 1;
        else
            high = middle;
    }
    CHECK(self->frames[low].decision == decisions);
    self->at = low;
    self->decisions = decisions;
}

static uint32_t length_of(const struct move *moves) {
    uint32_t length = 0;
    for (; moves != NULL; moves = moves->next)
        length++;
    return length;
}

/* By the moves that are planned so far: later races add to them. */
static double dpor_explored(const struct strategy *base) {
    const struct dpor *self = (const struct dpor *)base;
    double share = 1;
    for (uint32_t i = self->depth; i-- > 0;) {
        uint32_t finished = length_of(self->frames[i].done);
        share = explored_share(finished, finished + length_of(self->frames[i].tree), share);
    }
    return share;
}

static struct strategy *classic_create(struct pool *pool, const struct options *options) {
    return create(pool, options, DPOR_CLASSIC, &classic_strategy);
}

static struct strategy *source_create(struct pool *pool, const struct options *options) {
    return create(pool, options, DPOR_SOURCE, &source_strategy);
}

static struct strategy *optimal_create(struct pool *pool, const struct options *options) {
    return create(pool, options, DPOR_OPTIMAL, &optimal_strategy);
}

static struct strategy *observers_create(struct pool *pool, const struct options *options) {
    return create(pool, options, DPOR_OBSERVERS, &observers_strategy);
}

static void observers_access(struct strategy *base, uint64_t address, uint32_t size) {
    observe_access(&((struct dpor *)base)->observe, address, size);
}

const struct strategy_ops classic_strategy = {
    .name = "classic",
    .summary = "dynamic partial order reduction as it was first published, with sleep sets",
    .exhaustive = true,
    .bounds = 1 << BOUND_PREEMPTIONS | 1 << BOUND_DELAYS | 1 << BOUND_DIVERGENCES,
    .names_branches = true,
    .create = classic_create,
    .begin = dpor_begin,
    .resume = dpor_resume,
    .pick = dpor_pick,
    .end = dpor_end,
    .explored = dpor_explored,
};

const struct strategy_ops source_strategy = {
    .name = "source",
    .summary = "dynamic partial order reduction with source sets and sleep sets",
    .exhaustive = true,
    .bounds = 1 << BOUND_PREEMPTIONS | 1 << BOUND_DELAYS | 1 << BOUND_DIVERGENCES,
    .names_branches = true,
    .create = source_create,
    .begin = dpor_begin,
    .resume = dpor_resume,
    .pick = dpor_pick,
    .end = dpor_end,
    .explored = dpor_explored,
};

const struct strategy_ops optimal_strategy = {
    .name = "optimal",
    .summary = "one execution for each way in which operations that matter can be ordered",
    .exhaustive = true,
    .bounds = 1 << BOUND_DIVERGENCES,
    .names_branches = true,
    .create = optimal_create,
    .begin = dpor_begin,
    .resume = dpor_resume,
    .pick = dpor_pick,
    .alone = optimal_alone,
    .end = dpor_end,
    .explored = dpor_explored,
};

const struct strategy_ops observers_strategy = {
    .name = "observers",
    .summary = "as optimal, but an order of stores or messages counts only if something shows it",
    .exhaustive = true,
    .unless_queues = true,
    .unless_continued = true,
    .by_observation = true,
    .names_branches = true,
    .bounds = 1 << BOUND_DIVERGENCES,
    .create = observers_create,
    .begin = dpor_begin,
    .resume = dpor_resume,
    .pick = dpor_pick,
    .end = dpor_end,
    .explored = dpor_explored,
    .access = observers_access,
};
