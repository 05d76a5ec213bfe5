/* race_release.h - the two halves of every synchronisation: a release gives the clock of a task to
 * an object, and an acquire gives the clock of an object to a task. Both are short and stand on the
 * way of each operation, so they are inlined. */
#ifndef ANALYSES_RACE_RELEASE_H
#define ANALYSES_RACE_RELEASE_H

#include "analyses/race_order.h"

/* The task knows all that was released to the object. */
static inline bool knows(const struct order_task *task, const struct race_object *object) {
    return object->releaser != NO_RELEASER &&
           clock_get(&task->clock, object->releaser) >= object->released_at;
}

static inline void acquire_object(struct order *order, struct order_task *task,
                                  const struct race_object *object) {
    if (!knows(task, object))
        clock_join(&task->clock, order->pool, &object->clock);
}

/* Later accesses of the task are not covered by what it has released. */
static inline void tick(struct order_task *task, uint32_t number) {
    task->clock.components[number] = ++task->own;
}

/* The clock of the object becomes a copy of the task's clock. */
static inline void release_object(struct order *order, uint32_t number,
                                  struct race_object *object) {
    struct order_task *task = order_task(order, number);
    clock_copy(&object->clock, order->pool, &task->clock);
    object->releaser = number;
    object->released_at = task->own;
    tick(task, number);
}

/* All release sequences of the location end. */
static inline void end_sequences(struct race_object *location) {
    location->stores++;
    location->continued = false;
}

/* Nothing has been released to it. */
static inline void empty_object(struct race_object *object) {
    end_sequences(object);
    clock_clear(&object->clock);
    object->releaser = NO_RELEASER;
}

#endif
