/* persistent.c - depth-first search with persistent and sleep sets (003, Algorithm 2).
 *
 * A task sleeps in a state if whatever starts with its operation there was explored before it: on an
 * earlier branch of this state, or of a state above, with only independent operations in between.
 * A dependent operation wakes it. If all that would be tried sleeps, the rest has been seen: the execution
 * is blocked (PICK_NOTHING).
 *
 * What is tried in a state is a persistent set: what the tasks outside of it may still do does not depend
 * on it. That is known from the executions before (future.h): after one that shows something new the
 * search begins again. Of all sets that begin with one task, the one with the fewest that are awake is
 * taken.
 *
 * The stack holds a frame for each decision, as in dfs.c. A schedule frame owns a range of `sleepers`:
 * the tasks that sleep there, each with its operation, and last the one that was chosen. So putting
 * the chosen task to sleep (line 14) is choosing the next: its entry is no longer the last one.
 * The other decisions (values, wake-ups, time-outs) belong to the step before them and try all of
 * their options before that task goes to sleep.
 *
 * Left out: with --races=ignore plain accesses count as invisible, so what only a data race can show
 * may be missed. Not to be combined with bounds. */
#include "strategies/strategies.h"

#include "event/dependence.h"
#include "strategies/future.h"

struct sleeper {
    struct op op; /* a copy: the operation before which it stands */
    uint32_t task;
};

struct frame {
    uint32_t chosen, count;
    uint32_t first;     /* where its sleepers begin; those of the frame above end there */
    uint32_t inherited; /* so many of them slept from the start */
    uint32_t seed;      /* a schedule: the option of which its persistent set is made, */
    uint32_t wanted;    /* and how many of that set did not sleep from the start */
    enum choice_tag tag;
};

/* What is known of a task in the state at hand: stamps instead of clearing. */
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
    struct mark *marks; /* by task */
    uint32_t depth, frame_capacity;
    uint32_t sleeper_count, sleeper_capacity;
    uint32_t mark_capacity;
    uint64_t stamp;      /* marks[t].stamp == stamp: t is enabled; stamp + 1: and sleeps */
    uint32_t position;   /* decisions made in this execution */
    uint32_t last_frame; /* the schedule decision whose step is under way; 0: none yet */
    uint32_t moved;      /* the task whose step is under way, or NO_TASK */
    bool started;
    bool learned; /* something new, in this execution */
    bool first;   /* this execution is the first of the search */
    bool again;   /* it repeats the first, knowing more */
};

static struct strategy *persistent_create(struct pool *pool, const struct options *options) {
    struct persistent *self = pool_alloc(pool, sizeof *self);
    (void)options;
    self->base.ops = &persistent_strategy;
    self->pool = pool;
    future_init(&self->future, pool);
    return &self->base;
}

/* --- backtracking --------------------------------------------------------------------------- */

static uint32_t sleepers_end(const struct persistent *self, uint32_t frame) {
    return frame + 1 < self->depth ? self->frames[frame + 1].first : self->sleeper_count;
}

/* Every sleeper of a frame beyond those from above is of its persistent set, so counting is enough. Moving a schedule frame on
 * is left to pick(), which is given the options. */
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

/* What was learned holds from the next execution on. If nothing has been left behind yet, that one repeats
 * the last, to see what else must be tried on its way; otherwise the search begins again. */
static bool use_what_was_learned(struct persistent *self) {
    self->again = self->learned && self->first;
    bool restart = self->learned && !self->first;
    self->first = restart || !self->started;
    if (restart)
        self->depth = self->sleeper_count = 0;
    if (self->again)
        self->base.prefix = self->depth;
    else if (self->first)
        self->base.prefix = 0;
    return self->again || self->first;
}

static bool persistent_begin(struct strategy *base) {
    struct persistent *self = (struct persistent *)base;
    if (!use_what_was_learned(self)) {
        if (!backtrack(self))
            return false;
        base->prefix = self->depth - 1;
    }
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

/* The first option of the persistent set that does not sleep; choice->count if all do. */
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

/* The persistent set of this state: which one it is, and how many of it do not sleep. */
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

/* Does this sleeper of the state before still sleep, after `executed`? An operation may change without
 * its task moving (a signal turns a sleep into a wake-up): then it is another one, and awake. */
static bool still_asleep(const struct persistent *self, const struct sleeper *sleeper,
                         const struct op *executed, const struct choice *choice) {
    const struct mark *mark = &self->marks[sleeper->task];
    if (mark->stamp != self->stamp)
        return false;
    if (!same_op(choice->pending[mark->option].op, &sleeper->op))
        return false;
    return !dependent(&sleeper->op, executed);
}

/* Line 11: what sleeps before a step and is independent of it sleeps after it. `from` to `to` are the
 * sleepers of the frame before, and `to` is the task that moved. */
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

/* A state that was not met before. */
static uint32_t enter(struct persistent *self, const struct choice *choice) {
    uint32_t first = self->sleeper_count, wanted;
    uint32_t from = self->position ? self->frames[self->last_frame].first : first;
    self->last_frame = self->depth;
    mark_enabled(self, choice);
    if (first - from > 1) /* somebody slept in the state before */
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

/* The deepest state again: its last choice goes to sleep, the next is taken. */
static uint32_t advance(struct persistent *self, const struct choice *choice, struct frame *frame) {
    mark_enabled(self, choice);
    for (uint32_t i = frame->first; i < self->sleeper_count; i++) {
        uint32_t task = self->sleepers[i].task;
        if (task >= self->mark_capacity || self->marks[task].stamp != self->stamp)
            return PICK_NOTHING;
        mark_asleep(self, task);
    }
    future_persistent(&self->future, choice, frame->seed);
    frame->chosen = first_awake(self, choice);
    return frame->chosen < choice->count ? choose(self, choice, frame->chosen) : PICK_NOTHING;
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

/* A state of the first execution, where nobody slept: its persistent set by what is known now. */
static void review(struct persistent *self, const struct choice *choice, struct frame *frame) {
    mark_enabled(self, choice);
    frame->seed = frame->chosen;
    frame->wanted = count_awake(self, choice, frame->seed);
}

static uint32_t repeat(struct persistent *self, const struct choice *choice) {
    struct frame *frame = &self->frames[self->position];
    uint32_t picked = frame->chosen;
    if (!comes_again(self, frame, choice))
        picked = PICK_NOTHING;
    else if (frame->tag == CHOICE_SCHEDULE) {
        self->last_frame = self->position;
        if (self->again)
            review(self, choice, frame);
        else if (self->position == self->base.prefix)
            picked = advance(self, choice, frame);
    }
    if (picked == PICK_NOTHING)
        self->base.diverged = true;
    self->position++;
    return picked;
}

/* What is known must not change between a state and the next visit to it: so who learns goes on, but
 * begins again afterwards. */
static uint32_t pick_task(struct persistent *self, const struct choice *choice) {
    self->learned |= future_see(&self->future, choice);
    uint32_t picked = self->position < self->depth ? repeat(self, choice) : enter(self, choice);
    if (picked != PICK_NOTHING) {
        self->moved = choice->pending[picked].task;
        future_step(&self->future, self->moved);
    }
    return picked;
}

static uint32_t persistent_pick(struct strategy *base, const struct choice *choice) {
    struct persistent *self = (struct persistent *)base;
    if (choice->tag == CHOICE_SCHEDULE)
        return pick_task(self, choice);
    if (self->position < self->depth)
        return repeat(self, choice);
    push_frame(self, choice, 0, self->sleeper_count);
    return 0;
}

/* An execution that ends before its new decision is not the one that was to be repeated. */
static void persistent_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    struct persistent *self = (struct persistent *)base;
    if (self->position < self->depth && outcome != OUTCOME_ERROR)
        base->diverged = true;
    if (outcome == OUTCOME_STUCK || outcome == OUTCOME_ASSUMED)
        self->learned |= future_see(&self->future, last);
    bool fatal = outcome == OUTCOME_FAILED || outcome == OUTCOME_DROPPED;
    if (fatal && self->moved != NO_TASK)
        self->learned |= future_see_fatal(&self->future, self->moved);
}

/* Each option weighs half of the one before it, since one task more sleeps below it. This is exact for
 * n tasks of one operation each, all independent: with L(n) executions, blocked ones included, the k-th
 * option leaves n - k tasks awake, so L(n) = L(n-1) + ... + L(0) and L(0) = 1, which is 2^(n-1). */
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

const struct strategy_ops persistent_strategy = {
    .name = "persistent",
    .summary = "every interleaving that can matter, depth first, by persistent and sleep sets",
    .exhaustive = true,
    .create = persistent_create,
    .begin = persistent_begin,
    .pick = persistent_pick,
    .end = persistent_end,
    .explored = persistent_explored,
};
