/* wrapper.c - see wrapper.h. */
#include "strategies/wrapper.h"

static struct strategy *inner_of(struct strategy *base) {
    return ((struct wrapper *)base)->inner;
}

void wrapper_say(struct strategy *base) {
    const struct strategy *inner = inner_of(base);
    base->explorer = inner->explorer;
    base->mistake = inner->mistake;
    base->lacks = inner->lacks;
    base->hid_options |= inner->hid_options;
    base->unsure |= inner->unsure;
}

bool wrapper_begin(struct strategy *base, struct plan *plan) {
    bool begun = inner_of(base)->ops->begin(inner_of(base), plan);
    wrapper_say(base);
    return begun;
}

uint32_t wrapper_pick(struct strategy *base, const struct choice *choice, struct keep *keep) {
    uint32_t picked = inner_of(base)->ops->pick(inner_of(base), choice, keep);
    if (__builtin_expect(picked >= choice->count, 0))
        wrapper_say(base);
    return picked;
}

void wrapper_end(struct strategy *base, enum outcome outcome, const struct choice *last,
                 struct report *report) {
    strategy_end(inner_of(base), outcome, last, report);
    wrapper_say(base);
}

static void wrapper_resume(struct strategy *base, uint32_t decisions) {
    inner_of(base)->ops->resume(inner_of(base), decisions);
}

static double wrapper_explored(const struct strategy *base) {
    const struct strategy *inner = ((const struct wrapper *)base)->inner;
    return inner->ops->explored(inner);
}

static bool wrapper_alone(struct strategy *base, const struct pending *alone) {
    return inner_of(base)->ops->hooks->alone(inner_of(base), alone);
}

static void wrapper_expect(struct strategy *base, const struct fingerprint *fingerprint) {
    inner_of(base)->ops->hooks->expect(inner_of(base), fingerprint);
}

static void wrapper_access(struct strategy *base, uint64_t address, uint32_t size) {
    inner_of(base)->ops->hooks->access(inner_of(base), address, size);
}

static void wrapper_section_access(struct strategy *base, uint64_t address, uint32_t size,
                                   bool write) {
    inner_of(base)->ops->hooks->section_access(inner_of(base), address, size, write);
}

static bool wrapper_split(struct strategy *base, struct work *work, struct pool *pool) {
    return inner_of(base)->ops->share->split(inner_of(base), work, pool);
}

static void wrapper_adopt(struct strategy *base, const struct work *work) {
    inner_of(base)->ops->share->adopt(inner_of(base), work);
}

static const struct strategy_sharing wrapper_sharing = {.split = wrapper_split,
                                                        .adopt = wrapper_adopt};

/* Gives the wrapper a function for each one that the strategy inside has. */
void wrapper_change(struct wrapper *self, struct strategy *inner) {
    static const struct strategy_hooks none;
    const struct strategy_ops *ops = inner->ops;
    const struct strategy_hooks *hooks = ops->hooks != NULL ? ops->hooks : &none;
    self->inner = inner;
    self->hooks = (struct strategy_hooks){
        .alone = hooks->alone != NULL ? wrapper_alone : NULL,
        .expect = hooks->expect != NULL ? wrapper_expect : NULL,
        .access = hooks->access != NULL ? wrapper_access : NULL,
        .section_access = hooks->section_access != NULL ? wrapper_section_access : NULL,
    };
    self->ops.resume = ops->resume != NULL ? wrapper_resume : NULL;
    self->ops.explored = ops->explored != NULL ? wrapper_explored : NULL;
    self->ops.share = ops->share != NULL ? &wrapper_sharing : NULL;
}

void wrapper_put(struct wrapper *self, struct strategy *inner) {
    self->base.ops = &self->ops;
    self->ops.begin = wrapper_begin;
    self->ops.pick = wrapper_pick;
    self->ops.end = wrapper_end;
    self->ops.hooks = &self->hooks;
    wrapper_change(self, inner);
}
