/* race_order.h - happens-before as C11 and POSIX define it, by vector clocks.
 *
 * This relation is weaker than the order of execution: a relaxed atomic orders nothing, a signal
 * orders nothing, and a lock does not order its readers among each other. */
#ifndef ANALYSES_RACE_ORDER_H
#define ANALYSES_RACE_ORDER_H

#include "analyses/race_objects.h"
#include "engine/options.h"
#include "event/event.h"

struct order_task {
    struct clock clock;
    uint32_t own;           /* the task's own component of its clock */
    uint32_t barrier_round; /* the round of the barrier at which the task waits */
    struct clock fenced;    /* the task's clock at its last release fence */
    struct clock loaded;    /* the clocks that relaxed loads saw, for the next acquire fence */
    bool loaded_continued;  /* `loaded` contains a release sequence that C++20 ends */
    uint64_t generation;
};

struct order {
    struct pool *pool; /* borrowed */
    struct race_objects objects;
    struct order_task *tasks; /* by number */
    uint32_t task_capacity;
    uint64_t generation;
    enum sequences_mode sequences;
    /* borrowed: set if an acquire learns something that it would not learn under C++20 */
    bool *continued;
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

/* Orders an event that is no access to memory (race_atomics.h). */
void order_event(struct order *order, const struct event *event);

#endif
