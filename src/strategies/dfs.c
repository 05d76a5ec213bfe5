/* dfs.c - depth-first search without any reduction: the judge of every other strategy.
 *
 * The stack holds one frame for each decision of the present execution: how many options there
 * were, and which was taken. begin() drops the frames that have no option left, and moves the
 * deepest other frame on to its next option. pick() repeats what the stack says, and takes the
 * first option beyond its end. Options are tried in the order in which they are given.
 *
 * Two workers share a search by their frames: each of them has a range of the options of a frame. A
 * worker gives away half of the options left in the shallowest frame that has some, together with
 * the decisions that lead there.
 *
 * Left out: the stack knows no states, so a program that runs for ever needs --max-steps. */
#include "strategies/strategies.h"

#include <string.h>

#include "base/check.h"
#include "strategies/bounded.h"

struct frame {
    uint32_t chosen, count;
    uint32_t first, end; /* range of the options that are explored here */
    uint32_t task;       /* at a schedule the task that was chosen, else the task that chose */
};

struct dfs {
    struct strategy base;
    struct pool *pool; /* borrowed */
    struct frame *frames;
    uint32_t depth, capacity;
    uint32_t position; /* number of decisions made in this execution */
    uint32_t prefix;   /* number of decisions that repeat the execution before */
    bool started;
};

static struct frame *top_of(struct dfs *self) {
    return &self->frames[self->depth - 1];
}

static void make_room(struct dfs *self, uint32_t depth) {
    self->frames =
        pool_grow(self->pool, self->frames, &self->capacity, depth, sizeof *self->frames);
}

/* Moves the deepest decision with an option left on to that option. */
static bool backtrack(struct dfs *self) {
    while (self->depth > 0) {
        struct frame *top = top_of(self);
        if (++top->chosen < top->end)
            return true;
        self->depth--;
    }
    return false;
}

static bool dfs_begin(struct strategy *base, struct plan *plan) {
    struct dfs *self = (struct dfs *)base;
    if (self->started && !backtrack(self))
        return false;
    self->prefix = plan->prefix = self->started ? self->depth - 1 : 0;
    plan->returns = self->started && top_of(self)->chosen + 1 < top_of(self)->end;
    self->started = true;
    self->position = 0;
    return true;
}

static void dfs_resume(struct strategy *base, uint32_t decisions) {
    ((struct dfs *)base)->position = decisions;
}

static uint32_t task_of(const struct choice *choice, uint32_t chosen) {
    return choice->tag == CHOICE_SCHEDULE ? choice->pending[chosen].task : choice->task;
}

static void push(struct dfs *self, const struct choice *choice) {
    if (self->depth == self->capacity)
        make_room(self, self->depth + 1);
    self->frames[self->depth++] =
        (struct frame){.count = choice->count, .end = choice->count, .task = task_of(choice, 0)};
}

/* The last frame of the stack is the new decision. The frames before it must come as they came
 * before. */
static uint32_t repeat(struct dfs *self, const struct choice *choice) {
    struct frame *frame = &self->frames[self->position];
    if (frame->count != choice->count)
        return PICK_DIVERGED;
    uint32_t task = task_of(choice, frame->chosen);
    if (self->position == self->prefix)
        frame->task = task;
    else if (frame->task != task)
        return PICK_DIVERGED;
    self->position++;
    return frame->chosen;
}

static uint32_t dfs_pick(struct strategy *base, const struct choice *choice, struct keep *keep) {
    struct dfs *self = (struct dfs *)base;
    (void)keep;
    if (self->position < self->depth)
        return repeat(self, choice);
    push(self, choice);
    self->position++;
    return 0;
}

/* If the execution ends before its new decision, it is not the one that was to be repeated. */
static void dfs_end(struct strategy *base, enum outcome outcome, const struct choice *last,
                    struct report *report) {
    const struct dfs *self = (const struct dfs *)base;
    (void)outcome, (void)last;
    report->diverged = self->position < self->depth;
}

static double dfs_explored(const struct strategy *base) {
    const struct dfs *self = (const struct dfs *)base;
    double share = 1;
    for (uint32_t i = self->depth; i-- > 0;) {
        const struct frame *frame = &self->frames[i];
        share = explored_share(frame->chosen - frame->first, frame->end - frame->first, share);
    }
    return share;
}

/* --- two workers ------------------------------------------------------------------------------ */

static struct frame *shallowest_open(struct dfs *self) {
    for (uint32_t i = 0; i < self->depth; i++)
        if (self->frames[i].chosen + 1 < self->frames[i].end)
            return &self->frames[i];
    return NULL;
}

/* The work is a stack. The first option that is given away is the one that backtrack() takes
 * next. */
static bool dfs_split(struct strategy *base, struct work *work, struct pool *pool) {
    struct dfs *self = (struct dfs *)base;
    struct frame *open = shallowest_open(self);
    if (open == NULL)
        return false;
    uint32_t depth = (uint32_t)(open - self->frames) + 1;
    uint32_t given = open->end - (open->end - open->chosen) / 2;
    work->size = depth * (uint32_t)sizeof *open;
    work->bytes = pool_grow(pool, work->bytes, &work->capacity, work->size, 1);
    struct frame *frames = work->bytes;
    memcpy(frames, self->frames, work->size);
    for (uint32_t i = 0; i + 1 < depth; i++) {
        frames[i].first = frames[i].chosen;
        frames[i].end = frames[i].chosen + 1;
    }
    frames[depth - 1].first = given;
    frames[depth - 1].chosen = given - 1;
    open->end = given;
    return true;
}

static void dfs_adopt(struct strategy *base, const struct work *work) {
    struct dfs *self = (struct dfs *)base;
    CHECK(!self->started);
    self->depth = work->size / (uint32_t)sizeof *self->frames;
    make_room(self, self->depth);
    memcpy(self->frames, work->bytes, work->size);
    self->started = true;
}

static const struct strategy_sharing dfs_sharing = {.split = dfs_split, .adopt = dfs_adopt};

static const struct strategy_ops dfs_ops = {
    .begin = dfs_begin,
    .pick = dfs_pick,
    .end = dfs_end,
    .resume = dfs_resume,
    .explored = dfs_explored,
    .share = &dfs_sharing,
};

static struct strategy *dfs_create(const struct strategy_context *context) {
    struct dfs *self = strategy_new(context, sizeof *self, &dfs_strategy, &dfs_ops);
    self->pool = context->pool;
    return bounded(context, &self->base);
}

const struct strategy_info dfs_strategy = {
    .name = "dfs",
    .summary = "every interleaving, depth first, without any reduction",
    .traits = EXHAUSTIVE | UNREDUCED,
    .bounds = 1 << BOUND_PREEMPTIONS | 1 << BOUND_DELAYS,
    .create = dfs_create,
};
