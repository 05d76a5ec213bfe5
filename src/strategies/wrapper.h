/* wrapper.h - a strategy around another one.
 *
 * A wrapper forwards everything that the strategy inside can do. The owner of the wrapper then
 * replaces the functions by which the two differ, and sets to NULL what it cannot forward. The
 * functions below also copy what the strategy inside says of itself (struct strategy). */
#ifndef STRATEGIES_WRAPPER_H
#define STRATEGIES_WRAPPER_H

#include "engine/strategy.h"

struct wrapper {
    struct strategy base;    /* base.ops is `ops` below */
    struct strategy_ops ops; /* has a function for each that the strategy inside has */
    struct strategy_hooks hooks;
    struct strategy *inner; /* owned */
};

/* Puts the wrapper around a strategy. The wrapper gets a function for each that this strategy
 * has. */
void wrapper_put(struct wrapper *self, struct strategy *inner);

/* Puts the wrapper around another strategy. The owner's begin(), pick() and end() stay. */
void wrapper_change(struct wrapper *self, struct strategy *inner);

/* Copies to the wrapper what the strategy inside says of itself. */
void wrapper_say(struct strategy *base);

/* For the owner's functions: these call the strategy inside. */
bool wrapper_begin(struct strategy *base, struct plan *plan);
uint32_t wrapper_pick(struct strategy *base, const struct choice *choice, struct keep *keep);
void wrapper_end(struct strategy *base, enum outcome outcome, const struct choice *last,
                 struct report *report);

#endif
