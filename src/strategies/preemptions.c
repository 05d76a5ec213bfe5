/* preemptions.c - at most so many preemptions in an execution, whatever strategy decides inside.
 *
 * A preemption takes the turn from the task that moved last although it could go on. Taking it from a
 * task that gives way by itself (yield, sleep, waiting for a signal until a time-out) is none. While
 * the bound is not used up the inner strategy sees all options; after that, only the task that moved
 * last as long as it is enabled. Whether options were hidden stands in hid_options.
 *
 * Left out: it must not stand around a strategy that prunes by what it saw elsewhere (sleep sets,
 * DPOR): what that would prune may be out of bound on the other path. */
#include "strategies/preemptions.h"

#include "base/check.h"

struct preemptions {
    struct strategy base;
    struct strategy_ops ops; /* name and nature of the inner strategy, functions of this one */
    struct strategy *inner;
    uint32_t bound;
    uint32_t used; /* in this execution */
};

/* What the outside needs to know of the inner strategy. */
static void mirror(struct preemptions *self) {
    self->base.prefix = self->inner->prefix;
    self->base.diverged = self->inner->diverged;
}

static bool preemptions_begin(struct strategy *base) {
    struct preemptions *self = (struct preemptions *)base;
    self->used = 0;
    bool begun = self->inner->ops->begin(self->inner);
    mirror(self);
    return begun;
}

static bool gives_way(const struct op *op) {
    return op->kind == OP_YIELD || op->kind == OP_SLEEP || op->kind == OP_COND_SLEEP;
}

/* The option that continues the task that moved last, or choice->count if a switch is free. */
static uint32_t going_on(const struct choice *choice) {
    uint32_t i = 0;
    if (choice->tag != CHOICE_SCHEDULE)
        return choice->count;
    while (i < choice->count && choice->pending[i].task != choice->task)
        i++;
    return i < choice->count && gives_way(choice->pending[i].op) ? choice->count : i;
}

static uint32_t pick_only(struct preemptions *self, const struct choice *choice, uint32_t option) {
    struct choice only = *choice;
    only.pending += option;
    only.count = only.live = 1;
    if (choice->count > 1)
        self->base.hid_options = true;
    return self->inner->ops->pick(self->inner, &only) == 0 ? option : PICK_NOTHING;
}

static uint32_t preemptions_pick(struct strategy *base, const struct choice *choice) {
    struct preemptions *self = (struct preemptions *)base;
    uint32_t free_option = going_on(choice), picked;
    if (free_option < choice->count && self->used == self->bound) {
        picked = pick_only(self, choice, free_option);
    } else {
        picked = self->inner->ops->pick(self->inner, choice);
        if (free_option < choice->count && picked != free_option && picked != PICK_NOTHING)
            self->used++;
    }
    mirror(self);
    return picked;
}

static void preemptions_end(struct strategy *base, enum outcome outcome,
                            const struct choice *last) {
    struct preemptions *self = (struct preemptions *)base;
    self->inner->ops->end(self->inner, outcome, last);
    mirror(self);
}

static double preemptions_explored(const struct strategy *base) {
    const struct strategy *inner = ((const struct preemptions *)base)->inner;
    return inner->ops->explored(inner);
}

struct strategy *preemptions_wrap(struct pool *pool, struct strategy *inner, int32_t bound) {
    struct preemptions *self = pool_alloc(pool, sizeof *self);
    CHECK(bound >= 0);
    self->ops = *inner->ops;
    self->ops.create = NULL;
    self->ops.begin = preemptions_begin;
    self->ops.resume = NULL;
    self->ops.pick = preemptions_pick;
    self->ops.end = preemptions_end;
    if (inner->ops->explored != NULL)
        self->ops.explored = preemptions_explored;
    self->base.ops = &self->ops;
    self->inner = inner;
    self->bound = (uint32_t)bound;
    return &self->base;
}

struct strategy *preemptions_bound(struct pool *pool, struct strategy *inner,
                                   const struct options *options) {
    return options->preemptions < 0 ? inner : preemptions_wrap(pool, inner, options->preemptions);
}
