/* race_order.h - happens-before as C11 and POSIX define it, by vector clocks.
 *
 * It is weaker than the order in which things were executed: a relaxed atomic orders nothing, a
 * signal orders nothing, two readers of a lock are not ordered by it. */
#ifndef ANALYSES_RACE_ORDER_H
#define ANALYSES_RACE_ORDER_H

#include "analyses/race_objects.h"
#include "engine/options.h"
#include "event/event.h"

struct order_task {
    struct clock clock;
    uint32_t own;           /* its own component of it */
    uint32_t barrier_round; /* the round of the barrier at which it waits */
    struct clock fenced;    /* at its last release fence */
    struct clock loaded;    /* what relaxed loads saw, for its next acquire fence, */
    bool loaded_continued;  /* some of it by a release sequence that C++20 ends */
    bool in_section;        /* between the begin and the end of an atomic section */
    uint64_t generation;
};

struct order {
    struct pool *pool; /* borrowed */
    struct race_objects objects;
    struct order_task *tasks; /* by number */
    uint32_t task_capacity;
    uint64_t generation;
    enum sequences_mode sequences;
    bool *continued; /* borrowed: set if an acquire got something that it would not have in C++20 */
};

void order_init(struct order *order, struct pool *pool, enum sequences_mode sequences,
                bool *continued);
void order_begin(struct order *order); /* a new execution */
void order_write(const struct order *order, struct image *image);
void order_read(struct order *order, struct image *image);

struct order_task *order_new_task(struct order *order, uint32_t task);

/* The pointer holds until another task is seen for the first time. */
static inline struct order_task *order_task(struct order *order, uint32_t task) {
    if (__builtin_expect(task < order->task_capacity, 1) &&
        __builtin_expect(order->tasks[task].generation == order->generation, 1))
        return &order->tasks[task];
    return order_new_task(order, task);
}

/* What an atomic access may change: its task's clocks and those of its location, to undo it. */
struct order_undo {
    bool valid;
    uint32_t task;
    uint64_t address;
    struct clock clock, loaded, location;
    uint32_t releaser, released_at, state;
    bool continued;
    bool adds_head; /* then, those that the task had put aside before (race_sequence.h) */
    struct clock heads;
    uint32_t heads_at, heads_stores;
};
void order_remember(struct order *order, struct order_undo *undo, const struct event *event,
                    const struct race_object *location);
void order_undo(struct order *order, const struct order_undo *undo);

/* An atomic access in its two halves: what it acquires comes before the access itself, what it
 * releases (if it writes) after it. */
struct race_object *order_location(struct order *order, const struct event *event);
void order_atomic_acquire(struct order *order, const struct race_object *location,
                          const struct event *event);
void order_atomic_release(struct order *order, struct race_object *location,
                          const struct event *event);

/* Any other event. */
void order_event(struct order *order, const struct event *event);

/* What stands from `address` on was written, not atomically: if the atomic at `location` reaches that
 * far, nothing is acquired from it any more. */
void order_overwritten(struct order *order, uint64_t location, uint64_t address);

#endif
