/* bounded.c - at most so many preemptions or delays in an execution, whatever strategy decides inside.
 *
 * The inner strategy sees the options of a schedule that the rest of the bound can pay for. Whether
 * some were hidden stands in hid_options.
 *
 * Left out: it must not stand around a strategy that prunes by what it saw elsewhere (sleep sets,
 * DPOR): what that would prune may be out of bound on the other path. DPOR keeps to bounds by itself
 * (dpor/within.h). */
#include "strategies/bounded.h"

#include "strategies/switches.h"

struct bounded {
    struct strategy base;
    struct strategy_ops ops; /* name and nature of the inner strategy, functions of this one */
    struct strategy *inner;
    struct pool *pool; /* borrowed */
    struct bound bound;
    uint32_t used; /* in this execution */
    /* scratch: the options that can be paid for, and which of all they are */
    struct pending *pending;
    uint32_t *options;
    uint32_t pending_capacity, option_capacity;
};

/* What the outside needs to know of the inner strategy. */
static void mirror(struct bounded *self) {
    self->base.prefix = self->inner->prefix;
    self->base.diverged = self->inner->diverged;
}

static bool bounded_begin(struct strategy *base) {
    struct bounded *self = (struct bounded *)base;
    self->used = 0;
    bool begun = self->inner->ops->begin(self->inner);
    mirror(self);
    return begun;
}

static struct choice affordable(struct bounded *self, const struct choice *choice) {
    struct choice left = *choice;
    self->pending = pool_grow(self->pool, self->pending, &self->pending_capacity, choice->count,
                              sizeof *self->pending);
    self->options = pool_grow(self->pool, self->options, &self->option_capacity, choice->count,
                              sizeof *self->options);
    left.pending = self->pending;
    left.count = 0;
    for (uint32_t i = 0; i < choice->count; i++) {
        if (switch_cost(&self->bound, choice, i) > self->bound.limit - self->used)
            continue;
        self->pending[left.count] = choice->pending[i];
        self->options[left.count++] = i;
    }
    left.live = left.count;
    return left;
}

static uint32_t pick_task(struct bounded *self, const struct choice *choice) {
    struct choice left = affordable(self, choice);
    if (left.count < choice->count)
        self->base.hid_options = true;
    uint32_t picked = self->inner->ops->pick(self->inner, &left);
    if (picked == PICK_NOTHING)
        return picked;
    self->used += switch_cost(&self->bound, choice, self->options[picked]);
    return self->options[picked];
}

static uint32_t bounded_pick(struct strategy *base, const struct choice *choice) {
    struct bounded *self = (struct bounded *)base;
    uint32_t picked = choice->tag == CHOICE_SCHEDULE ? pick_task(self, choice)
                                                     : self->inner->ops->pick(self->inner, choice);
    mirror(self);
    return picked;
}

static void bounded_end(struct strategy *base, enum outcome outcome, const struct choice *last) {
    struct bounded *self = (struct bounded *)base;
    self->inner->ops->end(self->inner, outcome, last);
    mirror(self);
}

static double bounded_explored(const struct strategy *base) {
    const struct strategy *inner = ((const struct bounded *)base)->inner;
    return inner->ops->explored(inner);
}

static struct strategy *wrap(struct pool *pool, struct strategy *inner, struct bound bound) {
    struct bounded *self = pool_alloc(pool, sizeof *self);
    self->ops = *inner->ops;
    self->ops.create = NULL;
    self->ops.begin = bounded_begin;
    self->ops.resume = NULL;
    self->ops.pick = bounded_pick;
    self->ops.end = bounded_end;
    if (inner->ops->explored != NULL)
        self->ops.explored = bounded_explored;
    self->base.ops = &self->ops;
    self->inner = inner;
    self->pool = pool;
    self->bound = bound;
    return &self->base;
}

struct strategy *bounded(struct pool *pool, struct strategy *inner, const struct options *options) {
    struct bound bound = bound_of(options);
    return switches_cost(&bound) ? wrap(pool, inner, bound) : inner;
}
