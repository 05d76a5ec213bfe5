/* sleep.c - depth-first search with sleep sets (003, Algorithm 2). The persistent set is everything
 * that is enabled, since nothing is known of what a task may still do.
 *
 * A task sleeps in a state if whatever starts with its operation there was explored before it: on an
 * earlier branch of this state, or of a state above, with only independent operations in between.
 * A dependent operation wakes it. If all that is enabled sleeps, the rest has been seen: the execution
 * is blocked (PICK_NOTHING).
 *
 * The stack holds a frame for each decision, as in dfs.c. A schedule frame owns a range of `sleepers`:
 * the tasks that sleep there, each with its operation, and last the one that was chosen. So putting
 * the chosen task to sleep (line 14) is choosing the next: its entry is no longer the last one.
 * The other decisions (values, wake-ups, time-outs) belong to the step before them and try all of
 * their options before that task goes to sleep.
 *
 * Left out: with --races=ignore plain accesses count as invisible, so what only a data race can show
 * may be missed. Not to be combined with --preemptions. */
#include "strategies/strategies.h"

#include "event/dependence.h"

struct sleeper {
    struct op op; /* a copy: the operation before which it stands */
    uint32_t task;
};

struct frame {
    uint32_t chosen, count;
    uint32_t first;     /* where its sleepers begin; those of the frame above end there */
    uint32_t inherited; /* so many of them slept from the start */
    enum choice_tag tag;
};

/* What is known of a task in the state at hand: stamps instead of clearing. */
struct mark {
    uint64_t stamp;
    uint32_t option;
};

struct sleep {
    struct strategy base;
    struct pool *pool; /* borrowed */
    struct frame *frames;
    struct sleeper *sleepers;
    struct mark *marks; /* by task */
    uint32_t depth, frame_capacity;
    uint32_t sleeper_count, sleeper_capacity;
    uint32_t mark_capacity;
    uint64_t stamp;      /* marks[t].stamp == stamp: t is enabled; stamp + 1: and sleeps */
    uint32_t position;   /* decisions made in this execution */
    uint32_t last_frame; /* the schedule decision whose step is under way; 0: none yet */
    bool started;
};

static struct strategy *sleep_create(struct pool *pool, const struct options *options) {
    struct sleep *self = pool_alloc(pool, sizeof *self);
    (void)options;
    self->base.ops = &sleep_strategy;
    self->pool = pool;
    return &self->base;
}

/* --- backtracking --------------------------------------------------------------------------- */

static uint32_t sleepers_end(const struct sleep *self, uint32_t frame) {
    return frame + 1 < self->depth ? self->frames[frame + 1].first : self->sleeper_count;
}

/* Every sleeper of a frame is enabled in its state, so counting is enough. Moving a schedule frame on
 * is left to pick(), which is given the options. */
static bool has_more(struct sleep *self, uint32_t frame) {
    struct frame *top = &self->frames[frame];
    if (top->tag == CHOICE_SCHEDULE)
        return sleepers_end(self, frame) - top->first < top->count;
    return ++top->chosen < top->count;
}

static bool backtrack(struct sleep *self) {
    while (self->depth > 0) {
        if (has_more(self, self->depth - 1))
            return true;
        self->depth--;
        self->sleeper_count = self->frames[self->depth].first;
    }
    return false;
}

static bool sleep_begin(struct strategy *base) {
    struct sleep *self = (struct sleep *)base;
    if (self->started && !backtrack(self))
        return false;
    base->prefix = self->started ? self->depth - 1 : 0;
    self->started = true;
    self->position = self->last_frame = 0;
    return true;
}

/* --- choosing ------------------------------------------------------------------------------- */

static void push_sleeper(struct sleep *self, uint32_t task, const struct op *op) {
    if (self->sleeper_count == self->sleeper_capacity)
        self->sleepers = pool_grow(self->pool, self->sleepers, &self->sleeper_capacity,
                                   (size_t)self->sleeper_count + 1, sizeof *self->sleepers);
    struct sleeper *sleeper = &self->sleepers[self->sleeper_count++];
    sleeper->op = *op;
    sleeper->task = task;
}

static void push_frame(struct sleep *self, const struct choice *choice, uint32_t chosen,
                       uint32_t first) {
    uint32_t inherited = self->sleeper_count - first;
    if (self->depth == self->frame_capacity)
        self->frames = pool_grow(self->pool, self->frames, &self->frame_capacity,
                                 (size_t)self->depth + 1, sizeof *self->frames);
    self->frames[self->depth++] =
        (struct frame){chosen, choice->count, first, inherited, choice->tag};
    self->position++;
}

static void mark_enabled(struct sleep *self, const struct choice *choice) {
    self->stamp += 2;
    for (uint32_t i = 0; i < choice->count; i++) {
        uint32_t task = choice->pending[i].task;
        if (task >= self->mark_capacity)
            self->marks = pool_grow(self->pool, self->marks, &self->mark_capacity, (size_t)task + 1,
                                    sizeof *self->marks);
        self->marks[task] = (struct mark){self->stamp, i};
    }
}

static void mark_asleep(struct sleep *self, uint32_t task) {
    self->marks[task].stamp = self->stamp + 1;
}

/* The first option that does not sleep; choice->count if all do. */
static uint32_t first_awake(const struct sleep *self, const struct choice *choice) {
    uint32_t i = 0;
    while (i < choice->count && self->marks[choice->pending[i].task].stamp != self->stamp)
        i++;
    return i;
}

static bool same_op(const struct op *a, const struct op *b) {
    return a->kind == b->kind && a->order == b->order && a->size == b->size &&
           a->timed == b->timed && a->target == b->target && a->object == b->object &&
           a->object2 == b->object2 && a->value == b->value && a->pc == b->pc;
}

/* Does this sleeper of the state before still sleep, after `executed`? An operation may change without
 * its task moving (a signal turns a sleep into a wake-up): then it is another one, and awake. */
static bool still_asleep(const struct sleep *self, const struct sleeper *sleeper,
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
static void inherit(struct sleep *self, uint32_t from, uint32_t to, const struct choice *choice) {
    struct op executed = self->sleepers[to].op;
    for (uint32_t i = from; i < to; i++) {
        struct sleeper sleeper = self->sleepers[i];
        if (!still_asleep(self, &sleeper, &executed, choice))
            continue;
        push_sleeper(self, sleeper.task, &sleeper.op);
        mark_asleep(self, sleeper.task);
    }
}

static uint32_t choose(struct sleep *self, const struct choice *choice, uint32_t option) {
    const struct pending *pending = &choice->pending[option];
    push_sleeper(self, pending->task, pending->op);
    return option;
}

/* A state that was not met before. */
static uint32_t enter(struct sleep *self, const struct choice *choice) {
    uint32_t first = self->sleeper_count, option = 0;
    uint32_t from = self->position ? self->frames[self->last_frame].first : first;
    self->last_frame = self->depth;
    if (first - from > 1) { /* somebody slept in the state before */
        mark_enabled(self, choice);
        inherit(self, from, first - 1, choice);
        option = first_awake(self, choice);
    }
    if (option == choice->count) {
        self->sleeper_count = first;
        return PICK_NOTHING;
    }
    push_frame(self, choice, option, first);
    return choose(self, choice, option);
}

/* The deepest state again: its last choice goes to sleep, the next is taken. */
static uint32_t advance(struct sleep *self, const struct choice *choice, struct frame *frame) {
    mark_enabled(self, choice);
    for (uint32_t i = frame->first; i < self->sleeper_count; i++) {
        uint32_t task = self->sleepers[i].task;
        if (task >= self->mark_capacity || self->marks[task].stamp != self->stamp)
            return PICK_NOTHING;
        mark_asleep(self, task);
    }
    frame->chosen = first_awake(self, choice);
    return choose(self, choice, frame->chosen);
}

static bool comes_again(const struct sleep *self, const struct frame *frame,
                        const struct choice *choice) {
    if (frame->tag != choice->tag || frame->count != choice->count)
        return false;
    if (frame->tag != CHOICE_SCHEDULE)
        return true;
    const struct sleeper *chosen = &self->sleepers[sleepers_end(self, self->position) - 1];
    const struct pending *pending = &choice->pending[frame->chosen];
    return pending->task == chosen->task && pending->op->kind == chosen->op.kind;
}

static uint32_t repeat(struct sleep *self, const struct choice *choice) {
    struct frame *frame = &self->frames[self->position];
    uint32_t picked = frame->chosen;
    if (!comes_again(self, frame, choice))
        picked = PICK_NOTHING;
    else if (frame->tag == CHOICE_SCHEDULE) {
        self->last_frame = self->position;
        if (self->position == self->base.prefix)
            picked = advance(self, choice, frame);
    }
    if (picked == PICK_NOTHING)
        self->base.diverged = true;
    self->position++;
    return picked;
}

static uint32_t sleep_pick(struct strategy *base, const struct choice *choice) {
    struct sleep *self = (struct sleep *)base;
    if (self->position < self->depth)
        return repeat(self, choice);
    if (choice->tag == CHOICE_SCHEDULE)
        return enter(self, choice);
    push_frame(self, choice, 0, self->sleeper_count);
    return 0;
}

/* An execution that ends before its new decision is not the one that was to be repeated. */
static void sleep_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    struct sleep *self = (struct sleep *)base;
    (void)last;
    if (self->position < self->depth && outcome != OUTCOME_ERROR)
        base->diverged = true;
}

/* Each option weighs half of the one before it, since one task more sleeps below it. This is exact for
 * n tasks of one operation each, all independent: with L(n) executions, blocked ones included, the k-th
 * option leaves n - k tasks awake, so L(n) = L(n-1) + ... + L(0) and L(0) = 1, which is 2^(n-1). */
static double asleep_share(const struct sleep *self, uint32_t index, double below) {
    const struct frame *frame = &self->frames[index];
    uint32_t options = frame->count - frame->inherited;
    uint32_t finished = sleepers_end(self, index) - frame->first - frame->inherited - 1;
    double weight = 1;
    for (uint32_t i = 0; i < finished; i++)
        weight /= 2;
    bool last = finished + 1 == options;
    return 1 - weight + (last ? weight : weight / 2) * below;
}

static double sleep_explored(const struct strategy *base) {
    const struct sleep *self = (const struct sleep *)base;
    double share = 1;
    for (uint32_t i = self->depth; i-- > 0;) {
        const struct frame *frame = &self->frames[i];
        share = frame->tag == CHOICE_SCHEDULE ? asleep_share(self, i, share)
                                              : explored_share(frame->chosen, frame->count, share);
    }
    return share;
}

const struct strategy_ops sleep_strategy = {
    .name = "sleep",
    .summary = "every interleaving that can matter, depth first, with sleep sets",
    .exhaustive = true,
    .create = sleep_create,
    .begin = sleep_begin,
    .pick = sleep_pick,
    .end = sleep_end,
    .explored = sleep_explored,
};
