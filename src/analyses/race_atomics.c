/* race_atomics.c - see race_atomics.h.
 *
 * C11 7.17.3: the clock of a location is what an acquire load of its present value synchronises
 * with. A store replaces that clock: by the clock of its task if the store releases, else by the
 * clock of the task's last release fence, unless the store continues a release sequence
 * (race_sequence.h). A read-modify-write adds to the clock. A load that does not acquire keeps the
 * clock for a later acquire fence. A failed compare-exchange is a load with its failure order.
 *
 * Left out: a location is known by its address. Atomic accesses of different sizes that overlap but
 * begin at different addresses do not synchronise with each other. */
#include "analyses/race_atomics.h"

#include "analyses/race_release.h"
#include "analyses/race_sequence.h"

static bool acquires(uint32_t memory_order) {
    return memory_order != ORDER_RELAXED && memory_order != ORDER_RELEASE;
}

static bool releases(uint32_t memory_order) {
    return memory_order >= ORDER_RELEASE;
}

struct race_object *order_location(struct order *order, const struct event *event) {
    return race_objects_get(&order->objects, event->op.object, PART_MAIN);
}

/* The reader learns something that it would not learn under C++20, now or by its next acquire
 * fence. */
static void note_continued(struct order *order, struct order_task *task,
                           const struct race_object *location, bool acquiring) {
    if (!sequence_matters(order, location, &task->clock))
        return;
    if (acquiring)
        *order->continued = true;
    else
        task->loaded_continued = true;
}

void order_atomic_acquire(struct order *order, const struct race_object *location,
                          const struct event *event) {
    bool failed = event->flags & EVENT_FAILED;
    if (event->op.kind == OP_STORE || clock_empty(&location->clock))
        return;
    struct order_task *task = order_task(order, event->task);
    bool acquiring = acquires(failed ? event->op.failure_order : event->op.order);
    if (location->continued)
        note_continued(order, task, location, acquiring);
    if (acquiring)
        acquire_object(order, task, location);
    else
        clock_join(&task->loaded, order->pool, &location->clock);
}

static bool keeps_heads(const struct order *order, const struct event *event) {
    return order->sequences == SEQUENCES_C11 && event->op.kind != OP_STORE;
}

/* The new clock covers the old one: a store ends the old sequences, and a read-modify-write has
 * acquired them. */
static void release_all(struct order *order, struct race_object *location,
                        const struct event *event) {
    if (event->op.kind == OP_STORE)
        end_sequences(location);
    else if (keeps_heads(order, event) && location->releaser != event->task)
        location = sequence_put_aside(order, location);
    location->continued = false;
    release_object(order, event->task, location);
}

static void store_without_release(struct order *order, struct race_object *location,
                                  const struct event *event) {
    if (order->sequences == SEQUENCES_C11 && sequence_continue(order, location, event->task))
        return;
    end_sequences(location);
    clock_copy(&location->clock, order->pool, &order_task(order, event->task)->fenced);
    location->releaser = NO_RELEASER;
}

/* A read-modify-write that does not acquire, or does not release. */
static void add_released(struct order *order, struct race_object *location,
                         const struct event *event) {
    struct order_task *task = order_task(order, event->task);
    bool releasing = releases(event->op.order);
    const struct clock *released = releasing ? &task->clock : &task->fenced;
    if (clock_empty(released))
        return;
    if (keeps_heads(order, event)) {
        location = sequence_put_aside(order, location);
        if (releasing)
            location = sequence_add_head(order, location, event->task);
        if (location->continued)
            sequence_join_narrow(order, location, released);
    }
    clock_join(&location->clock, order->pool, released);
    location->releaser = NO_RELEASER;
    if (releasing)
        tick(task, event->task);
}

void order_atomic_release(struct order *order, struct race_object *location,
                          const struct event *event) {
    bool store = event->op.kind == OP_STORE, releasing = releases(event->op.order);
    location->state = event->op.size;
    if (releasing && (store || acquires(event->op.order)))
        release_all(order, location, event);
    else if (store)
        store_without_release(order, location, event);
    else
        add_released(order, location, event);
}

void order_remember(struct order *order, struct order_undo *undo, const struct event *event,
                    const struct race_object *location) {
    const struct order_task *task = order_task(order, event->task);
    undo->valid = true;
    undo->task = event->task;
    undo->address = event->op.object;
    clock_copy(&undo->clock, order->pool, &task->clock);
    clock_copy(&undo->loaded, order->pool, &task->loaded);
    clock_copy(&undo->location, order->pool, &location->clock);
    undo->releaser = location->releaser;
    undo->released_at = location->released_at;
    undo->state = location->state;
    undo->continued = location->continued;
    undo->adds_head =
        keeps_heads(order, event) && releases(event->op.order) && !acquires(event->op.order);
    if (undo->adds_head)
        sequence_remember(order, undo, event);
}

/* The task's own component stays, because accesses since the fence carry it. */
void order_undo(struct order *order, const struct order_undo *undo) {
    struct order_task *task = order_task(order, undo->task);
    struct race_object *location = race_objects_get(&order->objects, undo->address, PART_MAIN);
    clock_copy(&task->clock, order->pool, &undo->clock);
    task->clock.components[undo->task] = task->own;
    clock_copy(&task->loaded, order->pool, &undo->loaded);
    clock_copy(&location->clock, order->pool, &undo->location);
    location->releaser = undo->releaser;
    location->released_at = undo->released_at;
    location->state = undo->state;
    location->continued = undo->continued;
    if (undo->adds_head)
        sequence_undo(order, undo);
}

void order_fence(struct order *order, const struct event *event) {
    struct order_task *task = order_task(order, event->task);
    if (acquires(event->op.order)) {
        *order->continued |= task->loaded_continued;
        clock_join(&task->clock, order->pool, &task->loaded);
    }
    if (releases(event->op.order)) {
        clock_copy(&task->fenced, order->pool, &task->clock);
        tick(task, event->task);
    }
}

void order_overwritten(struct order *order, uint64_t location, uint64_t address) {
    struct race_object *object = race_objects_find(&order->objects, location, PART_MAIN);
    if (object != NULL && location + object->state > address)
        empty_object(object);
}
