/* bounded.c - at most so many preemptions or delays in an execution, whatever strategy decides
 * inside.
 *
 * The strategy inside sees only those options of a schedule that the rest of the bound can pay for.
 * The field hid_options says whether some were hidden.
 *
 * Left out: bounded() must not be put around a strategy that prunes by what it saw elsewhere (sleep
 * sets, DPOR), because what it prunes may be out of bound on the other path. DPOR keeps to bounds
 * by itself (dpor/within.h). Every execution begins with the program, because the price of a saved
 * state is not known. */
#include "strategies/bounded.h"

#include "strategies/switches.h"
#include "strategies/wrapper.h"

struct bounded {
    struct wrapper wrapper;
    struct pool *pool; /* borrowed */
    struct bound bound;
    uint32_t used; /* how much of the bound this execution has used */
    /* scratch: the affordable options, and the index of each among all options */
    struct pending *pending;
    uint32_t *options;
    uint32_t pending_capacity, option_capacity;
};

static bool bounded_begin(struct strategy *base, struct plan *plan) {
    ((struct bounded *)base)->used = 0;
    return wrapper_begin(base, plan);
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

static uint32_t bounded_pick(struct strategy *base, const struct choice *choice,
                             struct keep *keep) {
    struct bounded *self = (struct bounded *)base;
    if (choice->tag != CHOICE_SCHEDULE)
        return wrapper_pick(base, choice, keep);
    struct choice left = affordable(self, choice);
    if (left.count < choice->count)
        base->hid_options = true;
    uint32_t picked = wrapper_pick(base, &left, keep);
    if (picked >= left.count)
        return picked;
    self->used += switch_cost(&self->bound, choice, self->options[picked]);
    return self->options[picked];
}

static struct strategy *wrap(const struct strategy_context *context, struct strategy *inner,
                             struct bound bound) {
    struct bounded *self = strategy_new(context, sizeof *self, inner->info,
                                        NULL /* wrapper_put() sets the functions */);
    self->pool = context->pool;
    self->bound = bound;
    wrapper_put(&self->wrapper, inner);
    wrapper_say(&self->wrapper.base);
    self->wrapper.ops.begin = bounded_begin;
    self->wrapper.ops.pick = bounded_pick;
    self->wrapper.ops.resume = NULL;
    return &self->wrapper.base;
}

struct strategy *bounded(const struct strategy_context *context, struct strategy *inner) {
    struct bound bound = bound_of(context->options);
    return switches_cost(&bound) ? wrap(context, inner, bound) : inner;
}
