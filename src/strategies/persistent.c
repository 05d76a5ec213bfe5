/* persistent.c - depth-first search with persistent and sleep sets (003, Algorithm 2).
 *
 * A task sleeps in a state if everything that starts with its operation there was explored before:
 * on an earlier branch of this state, or of a state above with only independent operations in
 * between. A dependent operation wakes the task. If every task that would be tried sleeps, the rest
 * has been seen, and the execution is blocked (PICK_NOTHING).
 *
 * The tasks that are tried in a state are a persistent set: what the tasks outside of the set may
 * still do does not depend on it. Earlier executions tell what tasks may still do (future.h). After
 * an execution that shows something new the search begins again. Among the sets that begin with one
 * task, the one with the fewest awake tasks is taken.
 *
 * The stack holds a frame for each decision, as in dfs.c. A schedule frame owns a range of
 * `sleepers`: the tasks that sleep there, each with its operation, and at the end the task that was
 * chosen. When the next task is chosen, the entry of the one before is no longer the last, so that
 * task sleeps (line 14). The other decisions (values, wake-ups, time-outs) belong to the step
 * before them. They try all of their options before the task of that step goes to sleep.
 *
 * Left out: with --races=ignore plain accesses count as invisible, so a bug that only a data race
 * shows may be missed. Not to be combined with bounds. */
#include "strategies/strategies.h"

#include "event/dependence.h"
#include "strategies/future.h"

struct sleeper {
    struct op op; /* a copy of the operation that the task stands before */
    uint32_t task;
};

struct frame {
    uint32_t chosen, count;
    /* index of its first sleeper; its sleepers end where those of the next frame begin */
    uint32_t first;
    uint32_t inherited; /* number of its tasks that slept from the start */
    uint32_t seed;      /* at a schedule: the option that its persistent set is made of */
    /* at a schedule: number of tasks in that set that did not sleep from the start */
    uint32_t wanted;
    enum choice_tag tag;
};

/* What is known of a task in the state at hand. A new stamp replaces clearing all marks. */
struct mark {
    uint64_t stamp;
    uint32_t option;
};

struct persistent {
    struct strategy base;
    struct pool *pool; /* borrowed */
    struct future future;
    struct frame *frames;
    struct sleeper *sleepers;
    struct mark *marks; /* one for each task */
    uint32_t depth, frame_capacity;
    uint32_t sleeper_count, sleeper_capacity;
    uint32_t mark_capacity;
    /* marks[t].stamp is `stamp` if task t is enabled, and stamp + 1 if the task also sleeps */
    uint64_t stamp;
    uint32_t position;   /* number of decisions made in this execution */
    uint32_t prefix;     /* number of decisions that repeat the execution before */
    uint32_t last_frame; /* the schedule decision whose step is under way; 0: none yet */
    uint32_t moved;      /* the task whose step is under way, or NO_TASK */
    bool started;
    bool learned; /* this execution has shown something new */
    bool first;   /* this execution is the first of the search */
    bool again;   /* this execution repeats the first one, with more knowledge */
};

/* --- backtracking --------------------------------------------------------------------------- */

static uint32_t sleepers_end(const struct persistent *self, uint32_t frame) {
    return frame + 1 < self->depth ? self->frames[frame + 1].first : self->sleeper_count;
}

/* A schedule frame has more to try if a task of its persistent set was awake at first and was not
 * chosen yet. Counting is enough: every sleeper beyond those from above belongs to the set. pick()
 * moves the frame on, because it is given the options. */
static bool has_more(struct persistent *self, uint32_t frame) {
    struct frame *top = &self->frames[frame];
    if (top->tag == CHOICE_SCHEDULE)
        return sleepers_end(self, frame) - top->first - top->inherited < top->wanted;
    return ++top->chosen < top->count;
}

static bool backtrack(struct persistent *self) {
    while (self->depth > 0) {
        if (has_more(self, self->depth - 1))
            return true;
        self->depth--;
        self->sleeper_count = self->frames[self->depth].first;
    }
    return false;
}

/* What was learned holds from the next execution on. If no state has been left for good yet, that
 * execution repeats the last one, to see what else must be tried on its way. Otherwise the search
 * begins again. */
static bool use_what_was_learned(struct persistent *self) {
    self->again = self->learned && self->first;
    bool restart = self->learned && !self->first;
    self->first = restart || !self->started;
    if (restart)
        self->depth = self->sleeper_count = 0;
    if (self->again)
        self->prefix = self->depth;
    else if (self->first)
        self->prefix = 0;
    return self->again || self->first;
}

static bool persistent_begin(struct strategy *base, struct plan *plan) {
    struct persistent *self = (struct persistent *)base;
    if (!use_what_was_learned(self)) {
        if (!backtrack(self))
            return false;
        self->prefix = self->depth - 1;
    }
    plan->prefix = self->prefix;
    future_begin(&self->future);
    self->started = true;
    self->learned = false;
    self->moved = NO_TASK;
    self->position = self->last_frame = 0;
    return true;
}

/* --- choosing ------------------------------------------------------------------------------- */

static void push_sleeper(struct persistent *self, uint32_t task, const struct op *op) {
    if (self->sleeper_count == self->sleeper_capacity)
        self->sleepers = pool_grow(self->pool, self->sleepers, &self->sleeper_capacity,
                                   (size_t)self->sleeper_count + 1, sizeof *self->sleepers);
    struct sleeper *sleeper = &self->sleepers[self->sleeper_count++];
    sleeper->op = *op;
    sleeper->task = task;
}

static void push_frame(struct persistent *self, const struct choice *choice, uint32_t chosen,
                       uint32_t first) {
    uint32_t inherited = self->sleeper_count - first;
    if (self->depth == self->frame_capacity)
        self->frames = pool_grow(self->pool, self->frames, &self->frame_capacity,
                                 (size_t)self->depth + 1, sizeof *self->frames);
    self->frames[self->depth++] = (struct frame){.chosen = chosen,
                                                 .count = choice->count,
                                                 .first = first,
                                                 .inherited = inherited,
                                                 .tag = choice->tag};
    self->position++;
}

static void mark_enabled(struct persistent *self, const struct choice *choice) {
    self->stamp += 2;
    for (uint32_t i = 0; i < choice->count; i++) {
        uint32_t task = choice->pending[i].task;
        if (task >= self->mark_capacity)
            self->marks = pool_grow(self->pool, self->marks, &self->mark_capacity, (size_t)task + 1,
                                    sizeof *self->marks);
        self->marks[task] = (struct mark){self->stamp, i};
    }
}

static void mark_asleep(struct persistent *self, uint32_t task) {
    self->marks[task].stamp = self->stamp + 1;
}

static bool is_awake(const struct persistent *self, const struct choice *choice, uint32_t option) {
    return self->marks[choice->pending[option].task].stamp == self->stamp;
}

/* Returns the first option of the persistent set that does not sleep; choice->count if all of them
 * do. */
static uint32_t first_awake(const struct persistent *self, const struct choice *choice) {
    uint32_t i = 0;
    while (i < choice->count &&
           !(is_awake(self, choice, i) && future_member(&self->future, choice->pending[i].task)))
        i++;
    return i;
}

static uint32_t count_awake(struct persistent *self, const struct choice *choice, uint32_t seed) {
    uint32_t count = 0;
    future_persistent(&self->future, choice, seed);
    for (uint32_t i = 0; i < choice->count; i++)
        count += is_awake(self, choice, i) && future_member(&self->future, choice->pending[i].task);
    return count;
}

/* Chooses the persistent set of this state. Returns the option that it begins with; `wanted` is the
 * number of tasks in the set that do not sleep. */
static uint32_t choose_set(struct persistent *self, const struct choice *choice, uint32_t *wanted) {
    uint32_t best = 0;
    *wanted = UINT32_MAX;
    for (uint32_t seed = 0; seed<choice->count && * wanted> 0; seed++) {
        uint32_t count = count_awake(self, choice, seed);
        if (count < *wanted) {
            *wanted = count;
            best = seed;
        }
    }
    future_persistent(&self->future, choice, best);
    return best;
}

static bool same_op(const struct op *a, const struct op *b) {
    return a->kind == b->kind && a->order == b->order && a->size == b->size &&
           a->timed == b->timed && a->target == b->target && a->object == b->object &&
           a->object2 == b->object2 && a->value == b->value && a->pc == b->pc;
}

/* Returns true if this sleeper of the state before still sleeps, after the operation `executed`. An
 * operation may change without a step of its task (a signal turns a sleep into a wake-up). Then it
 * is another operation, and the task is awake. */
static bool still_asleep(const struct persistent *self, const struct sleeper *sleeper,
                         const struct op *executed, const struct choice *choice) {
    const struct mark *mark = &self->marks[sleeper->task];
    if (mark->stamp != self->stamp)
        return false;
    if (!same_op(choice->pending[mark->option].op, &sleeper->op))
        return false;
    return !dependent(&sleeper->op, executed);
}

/* Line 11: a task that sleeps before a step, and is independent of it, sleeps after it. The
 * sleepers of the frame before are `from` to `to`, and `to` is the task that moved. */
static void inherit(struct persistent *self, uint32_t from, uint32_t to,
                    const struct choice *choice) {
    struct op executed = self->sleepers[to].op;
    for (uint32_t i = from; i < to; i++) {
        struct sleeper sleeper = self->sleepers[i];
        if (!still_asleep(self, &sleeper, &executed, choice))
            continue;
        push_sleeper(self, sleeper.task, &sleeper.op);
        mark_asleep(self, sleeper.task);
    }
}

static uint32_t choose(struct persistent *self, const struct choice *choice, uint32_t option) {
    const struct pending *pending = &choice->pending[option];
    push_sleeper(self, pending->task, pending->op);
    return option;
}

/* Enters a state that the search has not met before. */
static uint32_t enter(struct persistent *self, const struct choice *choice) {
    uint32_t first = self->sleeper_count, wanted;
    uint32_t from = self->position ? self->frames[self->last_frame].first : first;
    self->last_frame = self->depth;
    mark_enabled(self, choice);
    if (first - from > 1) /* a task slept in the state before */
        inherit(self, from, first - 1, choice);
    uint32_t seed = choose_set(self, choice, &wanted);
    uint32_t option = first_awake(self, choice);
    if (option == choice->count) {
        self->sleeper_count = first;
        return PICK_NOTHING;
    }
    push_frame(self, choice, option, first);
    self->frames[self->depth - 1].seed = seed;
    self->frames[self->depth - 1].wanted = wanted;
    return choose(self, choice, option);
}

/* Comes back to the deepest state: its last choice goes to sleep, and the next one is taken. */
static uint32_t advance(struct persistent *self, const struct choice *choice, struct frame *frame) {
    mark_enabled(self, choice);
    for (uint32_t i = frame->first; i < self->sleeper_count; i++) {
        uint32_t task = self->sleepers[i].task;
        if (task >= self->mark_capacity || self->marks[task].stamp != self->stamp)
            return PICK_DIVERGED;
        mark_asleep(self, task);
    }
    future_persistent(&self->future, choice, frame->seed);
    frame->chosen = first_awake(self, choice);
    return frame->chosen < choice->count ? choose(self, choice, frame->chosen) : PICK_DIVERGED;
}

static bool comes_again(const struct persistent *self, const struct frame *frame,
                        const struct choice *choice) {
    if (frame->tag != choice->tag || frame->count != choice->count)
        return false;
    if (frame->tag != CHOICE_SCHEDULE)
        return true;
    const struct sleeper *chosen = &self->sleepers[sleepers_end(self, self->position) - 1];
    const struct pending *pending = &choice->pending[frame->chosen];
    return pending->task == chosen->task && pending->op->kind == chosen->op.kind;
}

/* Makes the persistent set of a state of the first execution again, by what is known now. No task
 * slept there. */
static void review(struct persistent *self, const struct choice *choice, struct frame *frame) {
    mark_enabled(self, choice);
    frame->seed = frame->chosen;
    frame->wanted = count_awake(self, choice, frame->seed);
}

static uint32_t repeat(struct persistent *self, const struct choice *choice) {
    struct frame *frame = &self->frames[self->position];
    uint32_t picked = frame->chosen;
    if (!comes_again(self, frame, choice))
        picked = PICK_DIVERGED;
    else if (frame->tag == CHOICE_SCHEDULE) {
        self->last_frame = self->position;
        if (self->again)
            review(self, choice, frame);
        else if (self->position == self->prefix)
            picked = advance(self, choice, frame);
    }
    self->position++;
    return picked;
}

/* The knowledge must not change between a state and the next visit to it. So an execution that
 * learns something goes on, and the search begins again afterwards. */
static uint32_t pick_task(struct persistent *self, const struct choice *choice) {
    self->learned |= future_see(&self->future, choice);
    uint32_t picked = self->position < self->depth ? repeat(self, choice) : enter(self, choice);
    if (picked < choice->count) {
        self->moved = choice->pending[picked].task;
        future_step(&self->future, self->moved);
    }
    return picked;
}

static uint32_t persistent_pick(struct strategy *base, const struct choice *choice,
                                struct keep *keep) {
    struct persistent *self = (struct persistent *)base;
    (void)keep;
    if (choice->tag == CHOICE_SCHEDULE)
        return pick_task(self, choice);
    if (self->position < self->depth)
        return repeat(self, choice);
    push_frame(self, choice, 0, self->sleeper_count);
    return 0;
}

/* If the execution ends before its new decision, it is not the one that was to be repeated. */
static void persistent_end(struct strategy *base, enum outcome outcome, const struct choice *last,
                           struct report *report) {
    struct persistent *self = (struct persistent *)base;
    report->diverged = self->position < self->depth;
    if (outcome == OUTCOME_STUCK || outcome == OUTCOME_ASSUMED)
        self->learned |= future_see(&self->future, last);
    bool fatal = outcome == OUTCOME_FAILED || outcome == OUTCOME_DROPPED;
    if (fatal && self->moved != NO_TASK)
        self->learned |= future_see_fatal(&self->future, self->moved);
}

/* Each option weighs half of the one before it, because one more task sleeps below it. This is
 * exact for n tasks of one operation each, all independent. Let L(n) be the number of executions,
 * blocked ones included. The k-th option leaves n - k tasks awake, so L(n) = L(n-1) + ... + L(0)
 * and L(0) = 1, which is 2^(n-1). */
static double asleep_share(const struct persistent *self, uint32_t index, double below) {
    const struct frame *frame = &self->frames[index];
    uint32_t options = frame->wanted;
    uint32_t finished = sleepers_end(self, index) - frame->first - frame->inherited - 1;
    double weight = 1;
    for (uint32_t i = 0; i < finished; i++)
        weight /= 2;
    bool last = finished + 1 == options;
    return 1 - weight + (last ? weight : weight / 2) * below;
}

static double persistent_explored(const struct strategy *base) {
    const struct persistent *self = (const struct persistent *)base;
    double share = 1;
    for (uint32_t i = self->depth; i-- > 0;) {
        const struct frame *frame = &self->frames[i];
        share = frame->tag == CHOICE_SCHEDULE ? asleep_share(self, i, share)
                                              : explored_share(frame->chosen, frame->count, share);
    }
    return share;
}

static const struct strategy_ops persistent_ops = {
    .begin = persistent_begin,
    .pick = persistent_pick,
    .end = persistent_end,
    .explored = persistent_explored,
};

static struct strategy *persistent_create(const struct strategy_context *context) {
    struct persistent *self =
        strategy_new(context, sizeof *self, &persistent_strategy, &persistent_ops);
    self->pool = context->pool;
    future_init(&self->future, context->pool);
    return &self->base;
}

const struct strategy_info persistent_strategy = {
    .name = "persistent",
    .summary = "every interleaving that can matter, depth first, by persistent and sleep sets",
    .traits = EXHAUSTIVE,
    .create = persistent_create,
};
