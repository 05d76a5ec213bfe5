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

#include <string.h>

#include "base/check.h"
#include "event/dependence.h"
#include "strategies/dpor/observe.h"
#include "strategies/dpor/within.h"

enum { CHOICES_MAX = 64, LEFT_OUT_MAX = 1024 };

enum dpor_kind { DPOR_CLASSIC, DPOR_SOURCE, DPOR_OPTIMAL, DPOR_OBSERVERS };

struct frame {
    struct move *tree;      /* the first is the one under way */
    struct move *done;      /* newest first */
    uint32_t sleeper_first; /* those from above; they end where those of the next frame begin */
    uint32_t choice_first;  /* what was chosen within its step, likewise */
    uint32_t decision;      /* how many were made before it */
    uint32_t event_first;   /* where its events begin in the execution */
    uint32_t spent;         /* of the bound, before it */
    bool planned;           /* its state was met on the way of a sequence, not after its end */
};

struct dpor {
    struct strategy base;
    struct pool *pool; /* borrowed */
    struct history history;
    struct sequence sequence;
    struct within within;
    struct observe observe; /* with DPOR_OBSERVERS */
    struct frame *frames;
    struct move **sleepers; /* borrowed from the frames that have done them */
    struct chosen *choices;
    uint32_t depth, frame_capacity;
    uint32_t sleeper_count, sleeper_capacity;
    uint32_t choice_count, choice_capacity;
    uint32_t fixed;                  /* so many steps repeat the execution before */
    uint32_t old_races;              /* so many are between those */
    uint32_t at;                     /* steps picked in this execution */
    uint32_t decisions;              /* made in this execution */
    uint32_t repeated;               /* choices repeated within the step under way */
    uint32_t left_out[LEFT_OUT_MAX]; /* scratch: steps that a sequence must do without */
    uint32_t left_out_count;
    uint32_t *others; /* scratch: steps that do not happen after the step `others_of` */
    uint32_t others_count, others_capacity;
    uint32_t others_of;
    uint32_t *floor; /* scratch: see find_floor() */
    uint32_t floor_capacity;
    bool floor_known; /* for this execution */
    uint32_t tried;   /* frames below this one follow what was planned for this execution */
    bool in_vain;     /* that was only to wait */
    int32_t bound;    /* of divergences; -1: none */
    enum dpor_kind kind;
    bool started;
};

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

static bool is_idle(const struct dpor *self, uint32_t step) {
    return self->history.steps[step].event.flags & EVENT_IDLE;
}

static struct frame *top_of(struct dpor *self) {
    return &self->frames[self->depth - 1];
}

static uint32_t sleepers_end(const struct dpor *self, uint32_t frame) {
    return frame + 1 < self->depth ? self->frames[frame + 1].sleeper_first : self->sleeper_count;
}

static uint32_t choices_end(const struct dpor *self, uint32_t frame) {
    return frame + 1 < self->depth ? self->frames[frame + 1].choice_first : self->choice_count;
}

/* --- who sleeps ----------------------------------------------------------------------------- */

/* Every move that sleeps in the state of a frame: from above, then those done there. */
struct sleepers {
    const struct dpor *dpor;
    uint32_t next, end;
    const struct move *done;
};

static struct sleepers sleepers_of(const struct dpor *self, uint32_t frame) {
    return (struct sleepers){self, self->frames[frame].sleeper_first, sleepers_end(self, frame),
                             self->frames[frame].done};
}

static const struct move *next_sleeper(struct sleepers *sleepers) {
    if (sleepers->next < sleepers->end)
        return sleepers->dpor->sleepers[sleepers->next++];
    const struct move *move = sleepers->done;
    if (move != NULL) {
        sleepers->done = move->next;
        __builtin_prefetch(move->next);
    }
    return move;
}

static bool begins(const struct move *move, const struct chosen *choices, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (i >= move->choice_count || move->choices[i].value != choices[i].value)
            return false;
    return true;
}

/* Does every move of the task that begins with these choices sleep? choices[] has room for more. */
static bool asleep(const struct dpor *self, uint32_t frame, uint32_t task, struct chosen *choices,
                   uint32_t count) {
    struct sleepers sleepers = sleepers_of(self, frame);
    const struct move *move, *longer = NULL;
    while ((move = next_sleeper(&sleepers)) != NULL) {
        if (move->event.task != task || !begins(move, choices, count))
            continue;
        if (move->choice_count == count)
            return true;
        longer = move;
    }
    if (longer == NULL)
        return false;
    CHECK(count < CHOICES_MAX);
    choices[count].count = longer->choices[count].count;
    for (uint32_t value = 0; value < choices[count].count; value++) {
        choices[count].value = value;
        if (!asleep(self, frame, task, choices, count + 1))
            return false;
    }
    return true;
}

static bool task_asleep(const struct dpor *self, uint32_t frame, uint32_t task) {
    struct chosen choices[CHOICES_MAX + 1];
    return asleep(self, frame, task, choices, 0);
}

/* What sleeps before a step and is independent of it sleeps after it. */
static void inherit(struct dpor *self, uint32_t frame) {
    const struct event *step = &self->history.steps[frame].event;
    struct sleepers sleepers = sleepers_of(self, frame);
    const struct move *move;
    while ((move = next_sleeper(&sleepers)) != NULL) {
        if (move->event.task == step->task || dependent_events(&move->event, step))
            continue;
        self->sleepers = pool_grow(self->pool, self->sleepers, &self->sleeper_capacity,
                                   (size_t)self->sleeper_count + 1, sizeof *self->sleepers);
        self->sleepers[self->sleeper_count++] = (struct move *)move;
    }
}

/* --- the step that was made ----------------------------------------------------------------- */

static const struct event *event_of_step(const struct dpor *self, const struct frame *frame) {
    const struct execution *execution = self->base.execution;
    for (uint32_t i = frame->event_first; i < execution->event_count; i++)
        if (!(execution->events[i].flags & EVENT_NOTE))
            return &execution->events[i];
    return NULL;
}

static bool planned(const struct frame *frame, uint32_t task, const struct chosen *choices,
                    uint32_t count) {
    for (const struct move *move = frame->tree; move != NULL; move = move->next)
        if (move->event.task == task && move->choice_count == count && begins(move, choices, count))
            return true;
    return false;
}

/* Of the choice with that number within the step under way. */
static enum choice_tag tag_of(const struct dpor *self, const struct frame *frame, uint32_t number) {
    const struct execution *execution = self->base.execution;
    uint32_t at = frame->decision + 1 + number; /* behind the decision for its task */
    return at < execution->decision_count ? execution->decisions[at].tag : CHOICE_VALUE;
}

/* The other options of what the move under way was free to choose, right after it. */
static void plan_alternatives(struct dpor *self, uint32_t index, uint32_t free_from) {
    struct frame *frame = &self->frames[index];
    struct move *move = frame->tree;
    struct chosen choices[CHOICES_MAX + 1];
    CHECK(move->choice_count <= CHOICES_MAX);
    for (uint32_t i = 0; i < move->choice_count; i++) {
        choices[i] = move->choices[i];
        for (uint32_t value = choices[i].count; i >= free_from && value-- > choices[i].value + 1;) {
            struct chosen taken = choices[i];
            choices[i].value = value;
            if (!asleep(self, index, move->event.task, choices, i + 1) &&
                !planned(frame, move->event.task, choices, i + 1)) {
                struct move *other = move_new(self->pool, &move->event, choices, i + 1);
                other->event.flags |= EVENT_AHEAD;
                other->next = move->next;
                move->next = other;
                branches_add_choice(self->base.branches, &move->event, tag_of(self, frame, i),
                                    value, choices[i].count);
            }
            choices[i] = taken;
        }
    }
}

/* Also those that were created within an atomic section. */
static void add_tasks(struct dpor *self, const struct frame *frame) {
    const struct execution *execution = self->base.execution;
    for (uint32_t i = frame->event_first; i < execution->event_count; i++) {
        const struct event *event = &execution->events[i];
        if (event->op.kind == OP_CREATE && event->op.target != NO_TASK &&
            !(event->flags & (EVENT_FAILED | EVENT_NOTE)))
            history_add_task(&self->history, event->op.target);
    }
}

static void complete_step(struct dpor *self, bool fatal) {
    struct frame *frame = top_of(self);
    struct move *move = frame->tree;
    uint32_t free_from = move->choice_count;
    const struct event *happened = event_of_step(self, frame);
    if (happened != NULL)
        move->event = *happened;
    move->event.flags &= ~(uint32_t)EVENT_AHEAD;
    if (fatal)
        move->event.flags |= EVENT_FATAL;
    if (self->kind == DPOR_OBSERVERS)
        observe_step(&self->observe, &move->event);
    move_choose(self->pool, move, self->choices + frame->choice_first,
                self->choice_count - frame->choice_first);
    if (move->choice_count > free_from)
        plan_alternatives(self, self->depth - 1, free_from);
    history_add_step(&self->history, &move->event);
    add_tasks(self, frame);
}

static bool step_is_open(const struct dpor *self) {
    return self->at > self->history.count;
}

/* --- what is planned ------------------------------------------------------------------------ */

static bool has_task(const struct move *moves, uint32_t task) {
    for (; moves != NULL; moves = moves->next)
        if (moves->event.task == task)
            return true;
    return false;
}

static bool explores(const struct frame *frame, uint32_t task) {
    return has_task(frame->tree, task) || has_task(frame->done, task);
}

/* Something new was planned for it. */
static void note_race(struct dpor *self, const struct race *race) {
    branches_add_race(self->base.branches, &self->history.steps[race->first].event, &race->last);
}

/* `race`: what it is planned for, or NULL. */
static void plan_task(struct dpor *self, const struct race *race, uint32_t index, uint32_t task) {
    struct frame *frame = &self->frames[index];
    const struct waiting *waiting = history_waiting(&self->history, index, task);
    if (explores(frame, task))
        return;
    CHECK(waiting != NULL && waiting->enabled);
    move_append(&frame->tree, move_ahead(self->pool, task, &waiting->op));
    if (race != NULL)
        note_race(self, race);
}

/* --- within a bound on preemptions or delays (within.h) --------------------------------------- */

/* Everybody who is enabled and costs no more than `cost`. */
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

/* One of the tasks that can begin what leads to the second step, and only that: others may have been
 * moved before it by a reduction that the bound does not pay for. */
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
    if (self->kind == DPOR_SOURCE)
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

static void plan_joins(struct dpor *self) {
    struct race race;
    for (uint32_t i = self->fixed; i < self->history.count; i++)
        if (within_join(&self->within, i, &race))
            plan_bounded(self, &race);
}

/* A state that was not met before. */
static void enter_within(struct dpor *self) {
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

/* --- choosing ------------------------------------------------------------------------------- */

static uint32_t option_of(const struct choice *choice, uint32_t task) {
    uint32_t option = 0;
    while (option < choice->count && choice->pending[option].task != task)
        option++;
    return option;
}

static bool receives(enum op_kind kind) {
    return kind == OP_RECEIVE || kind == OP_TRY_RECEIVE;
}

/* A receive is asked whether it would have taken other messages: the more there are, the better. */
static uint32_t sending_option(const struct choice *choice) {
    uint32_t option = option_of(choice, choice->task);
    if (option < choice->count && !receives(choice->pending[option].op->kind))
        return option;
    for (option = 0; option < choice->count; option++)
        if (!receives(choice->pending[option].op->kind))
            return option;
    return 0;
}

/* Who moved last, if that is possible: few switches make few surprises. */
static uint32_t awake_option(const struct dpor *self, const struct choice *choice) {
    if (self->kind == DPOR_OBSERVERS) /* nobody sleeps */
        return sending_option(choice);
    uint32_t frame = self->depth - 1, option = option_of(choice, choice->task);
    if (within_bounds(&self->within))
        return switch_first(choice);
    if (option < choice->count && !task_asleep(self, frame, choice->task))
        return option;
    for (option = 0; option < choice->count; option++)
        if (!task_asleep(self, frame, choice->pending[option].task))
            break;
    return option;
}

static void push_frame(struct dpor *self) {
    self->frames = pool_grow(self->pool, self->frames, &self->frame_capacity,
                             (size_t)self->depth + 1, sizeof *self->frames);
    self->frames[self->depth++] = (struct frame){
        .sleeper_first = self->sleeper_count,
        .choice_first = self->choice_count,
        .decision = self->decisions,
    };
}

static void pop_frame(struct dpor *self) {
    struct frame *frame = top_of(self);
    moves_free(self->pool, frame->tree);
    moves_free(self->pool, frame->done);
    self->sleeper_count = frame->sleeper_first;
    self->choice_count = frame->choice_first;
    self->depth--;
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
    if (frame->tree != NULL) {
        self->tried = self->depth;
        return option_of(choice, frame->tree->event.task);
    }
    uint32_t option = awake_option(self, choice);
    if (option == choice->count)
        return option;
    frame->tree = move_ahead(self->pool, choice->pending[option].task, choice->pending[option].op);
    return option;
}

static uint32_t repeat(struct dpor *self, const struct choice *choice) {
    const struct event *before = &self->history.steps[self->at].event;
    uint32_t option = option_of(choice, before->task);
    if (option < choice->count && choice->pending[option].op->kind == before->op.kind)
        return option;
    return choice->count;
}

static uint32_t pick_task(struct dpor *self, const struct choice *choice) {
    uint32_t option;
    if (step_is_open(self))
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
            CHECK(self->kind < DPOR_OPTIMAL);
            pop_frame(self);
            return PICK_NOTHING;
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

/* The move that made a step stands first in the tree of its frame. */
static const struct move *move_of(const struct dpor *self, uint32_t step) {
    return self->frames[step].tree;
}

/* What led to the second step of a race, without the first: all that does not happen after the first. The
 * others are expected to come later; what was chosen is all that matters of them. */
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
            sequence_add(sequence, i, move_of(self, i));
        else
            sequence_leave_out(sequence, i, move_of(self, i));
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

/* The same where nobody chooses: it is the same for all races with that first step. */
static void gather_others(struct dpor *self, const struct race *race) {
    if (self->others_of != race->first)
        find_others(self, race->first);
    for (uint32_t i = 0; i < self->others_count; i++)
        sequence_add(&self->sequence, self->others[i], move_of(self, self->others[i]));
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
        sequence_end(sequence, race, race->second == NO_STEP ? NULL : move_of(self, race->second));
}

/* May the sequence begin with every move of this task that sleeps, and do all of them? */
static bool covered_by_all(const struct dpor *self, uint32_t frame, uint32_t task) {
    struct sleepers sleepers = sleepers_of(self, frame);
    const struct move *move;
    uint32_t at;
    while ((move = next_sleeper(&sleepers)) != NULL)
        if (move->event.task == task && sequence_begins(&self->sequence, move, &at) == BEGINS_NOT)
            return false;
    return task_asleep(self, frame, task);
}

/* Something that sleeps in the state before the race covers the sequence: a move with which it may
 * begin. If the task had a choice there, and the sequence does not say which, then only all of them. */
static bool covered_by_sleepers(const struct dpor *self, uint32_t frame) {
    struct sleepers sleepers = sleepers_of(self, frame);
    const struct move *move;
    uint32_t at;
    while ((move = next_sleeper(&sleepers)) != NULL) {
        enum begins begins = sequence_begins(&self->sequence, move, &at);
        if (begins == BEGINS_WITH || begins == BEGINS_FREE ||
            (begins == BEGINS_PARTLY && covered_by_all(self, frame, move->event.task)))
            return true;
    }
    return false;
}

static void plan_optimal(struct dpor *self, struct race *race) {
    make_sequence(self, race);
    if (!covered_by_sleepers(self, race->first) &&
        sequence_insert(&self->sequence, &self->frames[race->first].tree->next))
        note_race(self, race);
}

/* Puts the steps between two frames in front. */
static void lead_to_sequence(struct dpor *self, uint32_t first, uint32_t frame) {
    struct sequence *sequence = &self->sequence;
    uint32_t count = frame - first, length = sequence->count;
    for (uint32_t i = 0; i < count; i++)
        sequence_add(sequence, first + i, move_of(self, first + i));
    memmove(sequence->elements + count, sequence->elements, length * sizeof *sequence->elements);
    for (uint32_t i = 0; i < count; i++)
        sequence->elements[i] = (struct element){move_of(self, first + i), first + i,
                                                 self->history.steps[first + i].event.task};
    sequence->base = first;
}

/* The same for what is done in any state from which a planned sequence leads here, with the steps since
 * then. Takes those out again. */
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
    self->sequence.base = frame;
    return covered;
}

static void plan_observed(struct dpor *self, struct race *race) {
    uint32_t observer = observe_observer(&self->observe, race);
    if (observer == NO_STEP)
        make_sequence(self, race);
    else
        observe_reverse(&self->observe, &self->sequence, race, observer);
    if (!covered_by_done(self, race->first) &&
        sequence_insert(&self->sequence, &self->frames[race->first].tree->next))
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

/* A task that sleeps there will not be tried, and so its own races with others are not met: they must
 * all be tried, as if it were blocked. */
static void plan_classic(struct dpor *self, struct race *race) {
    const struct history *history = &self->history;
    const struct waiting *waiting = history_waiting(history, race->first, race->last.task);
    if (waiting != NULL && waiting->enabled && !task_asleep(self, race->first, race->last.task)) {
        plan_task(self, race, race->first, race->last.task);
        return;
    }
    for (uint32_t task = 0; task < history->width; task++) {
        waiting = history_waiting(history, race->first, task);
        if (waiting != NULL && waiting->enabled)
            plan_task(self, race, race->first, task);
    }
}

static void plan(struct dpor *self, struct race *race) {
    if (within_bounds(&self->within)) {
        plan_bounded(self, race);
        return;
    }
    switch (self->kind) {
    case DPOR_CLASSIC: plan_classic(self, race); break;
    case DPOR_SOURCE: plan_source(self, race); break;
    case DPOR_OPTIMAL: plan_optimal(self, race); break;
    case DPOR_OBSERVERS: plan_observed(self, race); break;
    }
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
    if (race->second >= self->fixed || race->extent >= self->fixed)
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
    if (step_is_open(self))
        complete_step(self, is_fatal(outcome));
    if (self->kind == DPOR_OBSERVERS)
        observe_execution(self, last);
    if (outcome != OUTCOME_IDLE)
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

/* A move that was planned for its task alone may have fallen asleep since. */
static void drop_sleeping(struct dpor *self, uint32_t index) {
    struct frame *frame = &self->frames[index];
    struct chosen choices[CHOICES_MAX + 1];
    while (frame->tree != NULL && frame->tree->child == NULL) {
        struct move *move = frame->tree;
        for (uint32_t i = 0; i < move->choice_count; i++)
            choices[i] = move->choices[i];
        if (!asleep(self, index, move->event.task, choices, move->choice_count))
            return;
        frame->tree = move->next;
        move->next = NULL;
        moves_free(self->pool, move);
    }
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
    move->next = NULL;
    if (self->in_vain) {
        moves_free(self->pool, move);
        self->in_vain = frame->tree == NULL && frame->done == NULL;
        return;
    }
    move->next = frame->done;
    frame->done = move;
}

static bool backtrack(struct dpor *self) {
    while (self->depth > 0) {
        struct frame *frame = top_of(self);
        finish_move(self, frame);
        self->choice_count = frame->choice_first;
        drop_sleeping(self, self->depth - 1);
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
    self->started = true;
    history_cut(&self->history, self->fixed);
    self->old_races = self->history.race_count;
    self->at = self->decisions = 0;
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
    .end = dpor_end,
    .explored = dpor_explored,
};

const struct strategy_ops observers_strategy = {
    .name = "observers",
    .summary = "as optimal, but an order of stores or messages counts only if something shows it",
    .exhaustive = true,
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
