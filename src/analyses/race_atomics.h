/* race_atomics.h - happens-before by atomic operations: what an atomic access or a fence learns,
 * and what it tells to later ones. All other operations are the matter of race_order.h. */
#ifndef ANALYSES_RACE_ATOMICS_H
#define ANALYSES_RACE_ATOMICS_H

#include "analyses/race_order.h"

/* The two halves of an atomic access. The acquire comes before the access itself; the release (of a
 * write) comes after it. */
struct race_object *order_location(struct order *order, const struct event *event);
void order_atomic_acquire(struct order *order, const struct race_object *location,
                          const struct event *event);
void order_atomic_release(struct order *order, struct race_object *location,
                          const struct event *event);

void order_fence(struct order *order, const struct event *event);

/* A write that is not atomic has changed the memory from `address` on. If the atomic at `location`
 * overlaps it, later loads acquire nothing from that atomic. */
void order_overwritten(struct order *order, uint64_t location, uint64_t address);

/* The clocks that an atomic access may change, of its task and of its location. They are kept to
 * undo the access. */
struct order_undo {
    bool valid;
    uint32_t task;
    uint64_t address;
    struct clock clock, loaded, location;
    uint32_t releaser, released_at, state;
    bool continued;
    bool adds_head;
    struct clock heads; /* if adds_head: what the task had put aside before (race_sequence.h) */
    uint32_t heads_at, heads_stores;
};
void order_remember(struct order *order, struct order_undo *undo, const struct event *event,
                    const struct race_object *location);
void order_undo(struct order *order, const struct order_undo *undo);

#endif
