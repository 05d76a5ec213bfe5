/* dpor.c - dynamic partial order reduction: classic, source, optimal and observers (seed 002, and
 * the JACM paper on source sets and wakeup trees).
 *
 * The stack holds a frame for each step of the execution under way. A frame belongs to the state
 * before its step and holds three kinds of moves: those still to be explored (a wakeup tree, whose
 * leftmost move is under way), those that are done (they sleep there), and those that sleep already
 * in the states above. At the end of an execution, DPOR looks at the races among its new steps.
 * Each race says that something else must be tried in the state before its first step. The four
 * strategies differ in what that is:
 *
 *   classic   the task of the second step; if it was not enabled there, every task that was
 *   source    one of the tasks that can begin what led to the second step, unless one is there
 *   optimal   all that led to the second step, unless a sleeping or planned move covers it there
 *   observers the same; if an observer must show the order, up to this observer (observe.h)
 *
 * pick.c chooses within an execution, plan.c makes plans for a race, backtrack.c goes from one
 * execution to the next, and this file ends an execution.
 *
 * With optimal, sleep sets never block an execution: that is a theorem, and a CHECK. A sequence is
 * planned only if it wakes all sleeping moves, so no task sleeps in the state where it ends. Two
 * things make the strategy less than exact. The outcome of the last step of a sequence is a
 * prediction (predict.h), which may be too careful. And if a task has a choice within its step,
 * only one of its options may be asleep. In the state where a sequence ends every task is awake
 * nevertheless, because other sequences were left out in favour of all that begins with this one.
 * That can cost one more execution; it never loses one.
 *
 * An atomic section depends on what it has touched so far, in any execution. If it touches something
 * new, the search begins anew (sections.h).
 *
 * With observers no move sleeps: whether a move is independent of the steps since then may change
 * with the steps that follow. Instead, a sequence is compared with each move that is done in a
 * state on the way to it. The comparison covers the steps from that state on and the sequence
 * (plan.c). A receive by a predicate is asked about the messages behind its own when it happens,
 * and never later. Its answer for a message that is sent later is not known, so the order of the
 * two sends is taken to matter. Therefore, where nothing is planned, a task that does not receive
 * moves first: then more messages have been sent when the receive is asked.
 *
 * What is chosen within a step (values, wake-ups, time-outs) makes it another move. A move that is
 * free to choose takes the first option and plans the others beside itself.
 *
 * A step is *idle* if it is one whole round of a loop after which its task waits (EVENT_IDLE): the
 * execution would be the same without it. So no planned sequence contains the step, and nothing has
 * to come before it. If the last step of a planned sequence turns out to be idle, the sequence was
 * tried *in vain*:
 * - Optimal ends that execution there, as an idle one, if no longer sequence was left out because
 *   of the one tried in vain. Otherwise the execution goes on.
 * - A sequence of one move that was left out because of it is a *spare*, and is planned then.
 * - The idle step may have to come earlier still, so the races of this step are looked at.
 *
 * A planned task may also be found parked, after a round of several steps. Then nothing of that
 * plan counts. The search goes on from there with a task that does not sleep; if all tasks sleep,
 * the execution ends as idle. If the search comes back to such a state, what was planned after the
 * parked task comes at once. The observers strategy verifies nothing if that has happened
 * (strategy.unsure).
 *
 * Within a bound on preemptions or delays, classic and source work differently: see within.h. */
#include "strategies/strategies.h"

#include "base/check.h"
#include "strategies/dpor/backtrack.h"
#include "strategies/dpor/fair.h"
#include "strategies/dpor/pick.h"
#include "strategies/dpor/plan.h"
#include "strategies/dpor/step.h"
#include "strategies/dpor/tail.h"

/* Returns true if the last step ended the execution for all tasks. */
static bool is_fatal(enum outcome outcome) {
    return outcome == OUTCOME_FAILED || outcome == OUTCOME_DROPPED;
}

/* --- executions ----------------------------------------------------------------------------- */

/* Adds the races of the operations that tasks stand before at the end: such an operation has not
 * happened, but takes part in races. The task in whose step the execution ended is left out. */
static void add_pending(struct dpor *self, enum outcome outcome, const struct choice *last) {
    struct history *history = &self->history;
    if (history->count == 0)
        return;
    uint32_t mover = history->steps[history->count - 1].event.task;
    if (is_fatal(outcome) || last == NULL) { /* the last state is in disorder: use the one before */
        for (uint32_t task = 0; task < history->width; task++) {
            const struct waiting *waiting = history_waiting(history, history->count - 1, task);
            if (waiting != NULL && task != mover)
                history_add_pending(history, task, history_op(history, waiting));
        }
        return;
    }
    for (uint32_t i = 0; i < last->live; i++)
        if (outcome != OUTCOME_ENDED || last->pending[i].task != mover)
            history_add_pending(history, last->pending[i].task, last->pending[i].op);
}

/* The same for an execution that ends since all tasks that can move sleep. It is no end of the
 * program, so only those tasks count that a look keeps waiting. What the look would do with this
 * value was perhaps not known when it was planned here. So it may have to come earlier. */
static void add_blocked_looks(struct dpor *self, const struct choice *last) {
    for (uint32_t i = last != NULL ? last->count : 0; last != NULL && i < last->live; i++)
        if (last->pending[i].look != 0)
            history_add_pending(&self->history, last->pending[i].task, last->pending[i].op);
}

/* Computes, for each task, its last step that happens before every step of the execution from
 * `fixed` on (number + 1, or 0): the least of their clocks. */
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

/* Returns true if an earlier execution has dealt with this race and with all that led to its second
 * step. All later steps happen after the first step of the race then, and add nothing. */
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

/* Returns the first race to look at. Optimal and observers also look at races between repeated
 * steps, for two reasons: each execution adds other steps to what led to the second step of such a
 * race, and a sequence that sleeping moves covered relies on this. */
static uint32_t first_race(const struct dpor *self) {
    return self->kind >= DPOR_OPTIMAL ? 0 : self->old_races;
}

/* Finds out which step observes which, now that the execution is complete. */
static void observe_execution(struct dpor *self, const struct choice *last) {
    struct sequence *whole = &self->observe.whole;
    sequence_begin(whole);
    for (uint32_t i = 0; i < self->history.count; i++)
        sequence_add(whole, i, move_of(self, i)->label);
    observe_end(&self->observe, last);
}

/* After a sequence that was tried in vain only the races of its last step count: this step could
 * have come earlier still. */
static bool concerns(const struct dpor *self, const struct race *race) {
    return !self->in_vain || race->second == self->history.count - 1;
}

/* Shares the equal parts of all trees. */
static void share_trees(struct dpor *self) {
    struct share *share = &self->sequence.share;
    share_begin(share);
    for (uint32_t i = 0; i < self->depth; i++)
        share_tree(share, self->frames[i].tree);
    share_end(share);
}

/* A section has touched something new, so dependence was not what the search has taken it for. If
 * this is the first execution of a search, nothing was planned yet, and happens-before is computed
 * again. Otherwise the search begins anew. Returns true if it does. */
static bool begins_anew(struct dpor *self) {
    if (!self->sections.grown)
        return false;
    self->anew = !self->first;
    self->sections.grown = false;
    if (self->first)
        history_reorder(&self->history);
    return self->anew;
}

/* Drops all that was explored and planned. The first state stays, with a move that is free. */
static void begin_anew(struct dpor *self) {
    while (self->depth > 1)
        pop_frame(self);
    uint32_t decision = top_of(self)->decision, task = move_task(top_of(self)->tree);
    pop_frame(self);
    push_frame(self);
    top_of(self)->decision = decision;
    const struct waiting *waiting = history_waiting(&self->history, 0, task);
    top_of(self)->tree = move_ahead(self->pool, task, history_op(&self->history, waiting));
    self->in_vain = false;
}

/* If the execution ends before its new decision, it is not the one that was to be repeated. */
static void dpor_end(struct strategy *base, enum outcome outcome, const struct choice *last,
                     struct report *report) {
    struct dpor *self = (struct dpor *)base;
    report->diverged = self->at < self->depth;
    if (report->diverged)
        return;
    /* no task stands before an operation then */
    bool alone = outcome == OUTCOME_ENDED && tail_drop(self);
    tail_catch_up(self);
    if (step_is_open(self))
        complete_step(self, is_fatal(outcome));
    if (self->kind == DPOR_OBSERVERS)
        observe_execution(self, last);
    if (outcome == OUTCOME_IDLE)
        add_blocked_looks(self, last);
    else if (!alone)
        add_pending(self, outcome, last);
    self->floor_known = false;
    self->others_of = NO_STEP;
    if (begins_anew(self))
        return;
    for (uint32_t i = first_race(self); i < self->history.race_count; i++)
        if (concerns(self, &self->history.races[i]) &&
            (self->kind == DPOR_OBSERVERS || !is_settled(self, &self->history.races[i])))
            plan(self, &self->history.races[i]);
    if (within_bounds(&self->within))
        plan_joins(self);
    if (outcome == OUTCOME_CUT && last != NULL)
        fair_plan_cut(self, last);
    if (share_is_due(&self->sequence.share))
        share_trees(self);
}

static bool dpor_begin(struct strategy *base, struct plan *plan) {
    struct dpor *self = (struct dpor *)base;
    self->first = !self->started || self->anew;
    if (self->anew)
        begin_anew(self);
    else if (self->started && !backtrack(self))
        return false;
    self->anew = false;
    self->fixed = self->started ? self->depth - 1 : 0;
    plan->prefix = self->started ? self->frames[self->fixed].decision : 0;
    plan->returns = self->started && top_of(self)->tree->next != NULL;
    self->tried = self->started && !self->first ? self->depth : 0;
    if (self->started)
        move_expect(top_of(self)->tree->child);
    self->started = true;
    history_cut(&self->history, self->fixed);
    self->old_races = self->history.race_count;
    self->at = self->decisions = self->tail_count = 0;
    fair_begin(&self->fair);
    if (self->kind == DPOR_OBSERVERS)
        observe_begin(&self->observe);
    return true;
}

/* Continues at the frame that was entered after so many decisions. */
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

/* Estimates by the moves that are planned so far, though later races add to them. */
static double dpor_explored(const struct strategy *base) {
    const struct dpor *self = (const struct dpor *)base;
    double share = 1;
    for (uint32_t i = self->depth; i-- > 0;) {
        uint32_t finished = length_of(self->frames[i].done);
        share = explored_share(finished, finished + length_of(self->frames[i].tree), share);
    }
    return share;
}

/* --- the four of them ------------------------------------------------------------------------- */

static void dpor_section_access(struct strategy *base, uint64_t address, uint32_t size,
                                bool write) {
    sections_access(&((struct dpor *)base)->sections, address, size, write);
}

static void observers_access(struct strategy *base, uint64_t address, uint32_t size) {
    observe_access(&((struct dpor *)base)->observe, address, size);
}

#define DPOR_OPS \
    .begin = dpor_begin, .pick = dpor_pick, .end = dpor_end, .resume = dpor_resume, \
    .explored = dpor_explored
static const struct strategy_hooks dpor_hooks = {.section_access = dpor_section_access};
static const struct strategy_hooks optimal_hooks = {.alone = optimal_alone,
                                                    .section_access = dpor_section_access};
static const struct strategy_hooks observers_hooks = {.access = observers_access};
static const struct strategy_ops dpor_ops = {DPOR_OPS, .hooks = &dpor_hooks};
static const struct strategy_ops optimal_ops = {DPOR_OPS, .hooks = &optimal_hooks};
static const struct strategy_ops observers_ops = {DPOR_OPS, .hooks = &observers_hooks};

static struct strategy *create(const struct strategy_context *context, enum dpor_kind kind,
                               const struct strategy_info *info, const struct strategy_ops *ops) {
    struct dpor *self = strategy_new(context, sizeof *self, info, ops);
    self->pool = context->pool;
    self->branches = context->branches;
    self->kind = kind;
    self->bound = context->options->divergences;
    history_init(&self->history, self->pool);
    sections_init(&self->sections, self->pool);
    if (strategy_has(info, KNOWS_LOOKS))
        self->history.looks = context->inputs->looks;
    fair_init(&self->fair, context->options->max_steps);
    within_init(&self->within, context->options, &self->history);
    self->sections.unknown =
        kind == DPOR_OBSERVERS || within_bounds(&self->within) || context->options->coverage;
    CHECK(kind != DPOR_OPTIMAL || !within_bounds(&self->within));
    sequence_init(&self->sequence, self->pool, &self->history);
    if (kind == DPOR_OBSERVERS) {
        observe_init(&self->observe, self->pool, &self->history);
        self->sequence.order = &observed_order;
    }
    return &self->base;
}

static struct strategy *classic_create(const struct strategy_context *context) {
    return create(context, DPOR_CLASSIC, &classic_strategy, &dpor_ops);
}

static struct strategy *source_create(const struct strategy_context *context) {
    return create(context, DPOR_SOURCE, &source_strategy, &dpor_ops);
}

static struct strategy *optimal_create(const struct strategy_context *context) {
    return create(context, DPOR_OPTIMAL, &optimal_strategy, &optimal_ops);
}

static struct strategy *observers_create(const struct strategy_context *context) {
    return create(context, DPOR_OBSERVERS, &observers_strategy, &observers_ops);
}

const struct strategy_info classic_strategy = {
    .name = "classic",
    .summary = "dynamic partial order reduction as it was first published, with sleep sets",
    .traits = EXHAUSTIVE | NAMES_BRANCHES | KNOWS_LOOKS,
    .bounds = 1 << BOUND_PREEMPTIONS | 1 << BOUND_DELAYS | 1 << BOUND_DIVERGENCES,
    .create = classic_create,
};

const struct strategy_info source_strategy = {
    .name = "source",
    .summary = "dynamic partial order reduction with source sets and sleep sets",
    .traits = EXHAUSTIVE | NAMES_BRANCHES | KNOWS_LOOKS,
    .bounds = 1 << BOUND_PREEMPTIONS | 1 << BOUND_DELAYS | 1 << BOUND_DIVERGENCES,
    .create = source_create,
};

const struct strategy_info optimal_strategy = {
    .name = "optimal",
    .summary = "one execution for each way in which operations that matter can be ordered",
    .traits = EXHAUSTIVE | NAMES_BRANCHES | KNOWS_LOOKS,
    .bounds = 1 << BOUND_DIVERGENCES,
    .create = optimal_create,
};

const struct strategy_info observers_strategy = {
    .name = "observers",
    .summary = "as optimal, but an order of stores or messages counts only if something shows it",
    .traits = EXHAUSTIVE | NAMES_BRANCHES | BY_OBSERVATION,
    .bounds = 1 << BOUND_DIVERGENCES,
    .create = observers_create,
};
