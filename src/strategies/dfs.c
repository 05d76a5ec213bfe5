/* dfs.c - depth-first search without any reduction: the judge of every other strategy.
 *
 * The stack holds one frame for each decision of the present execution: how many options there were
 * and which was taken. begin() drops the frames that have no option left and moves the deepest other
 * one on; pick() repeats what the stack says, and takes the first option beyond it. Options are tried
 * in the order in which they are given.
 *
 * Left out: the stack knows no states, so a program that runs for ever needs --max-steps. */
#include "strategies/strategies.h"
#include "strategies/bounded.h"

struct frame {
    uint32_t chosen, count;
    uint32_t task; /* of a schedule: who was chosen; of the others: who chose */
};

struct dfs {
    struct strategy base;
    struct pool *pool; /* borrowed */
    struct frame *frames;
    uint32_t depth, capacity;
    uint32_t position; /* decisions made in this execution */
    bool started;
};

static struct strategy *dfs_create(struct pool *pool, const struct options *options) {
    struct dfs *self = pool_alloc(pool, sizeof *self);
    self->base.ops = &dfs_strategy;
    self->pool = pool;
    return bounded(pool, &self->base, options);
}

static struct frame *top_of(struct dfs *self) {
    return &self->frames[self->depth - 1];
}

/* The deepest decision with an option left takes it. */
static bool backtrack(struct dfs *self) {
    while (self->depth > 0) {
        struct frame *top = top_of(self);
        if (++top->chosen < top->count)
            return true;
        self->depth--;
    }
    return false;
}

static bool dfs_begin(struct strategy *base) {
    struct dfs *self = (struct dfs *)base;
    if (self->started && !backtrack(self))
        return false;
    base->prefix = self->started ? self->depth - 1 : 0;
    base->returns = self->started && top_of(self)->chosen + 1 < top_of(self)->count;
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
        self->frames = pool_grow(self->pool, self->frames, &self->capacity, (size_t)self->depth + 1,
                                 sizeof *self->frames);
    self->frames[self->depth++] = (struct frame){0, choice->count, task_of(choice, 0)};
}

/* The last frame of the stack is the new decision; those before it must come as they came before. */
static uint32_t repeat(struct dfs *self, const struct choice *choice) {
    struct frame *frame = &self->frames[self->position];
    if (frame->count != choice->count) {
        self->base.diverged = true;
        return PICK_NOTHING;
    }
    uint32_t task = task_of(choice, frame->chosen);
    if (self->position == self->base.prefix)
        frame->task = task;
    else if (frame->task != task)
        self->base.diverged = true;
    self->position++;
    return self->base.diverged ? PICK_NOTHING : frame->chosen;
}

static uint32_t dfs_pick(struct strategy *base, const struct choice *choice) {
    struct dfs *self = (struct dfs *)base;
    if (self->position < self->depth)
        return repeat(self, choice);
    push(self, choice);
    self->position++;
    return 0;
}

/* An execution that ends before its new decision is not the one that was to be repeated. */
static void dfs_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    struct dfs *self = (struct dfs *)base;
    (void)last;
    if (self->position < self->depth && outcome != OUTCOME_ERROR)
        base->diverged = true;
}

static double dfs_explored(const struct strategy *base) {
    const struct dfs *self = (const struct dfs *)base;
    double share = 1;
    for (uint32_t i = self->depth; i-- > 0;)
        share = explored_share(self->frames[i].chosen, self->frames[i].count, share);
    return share;
}

const struct strategy_ops dfs_strategy = {
    .name = "dfs",
    .summary = "every interleaving, depth first, without any reduction",
    .exhaustive = true,
    .unreduced = true,
    .bounds = 1 << BOUND_PREEMPTIONS | 1 << BOUND_DELAYS,
    .create = dfs_create,
    .begin = dfs_begin,
    .resume = dfs_resume,
    .pick = dfs_pick,
    .end = dfs_end,
    .explored = dfs_explored,
};
