/* race_order.c - see race_order.h.
 *
 * A release copies (or joins) the clock of the task into the clock of the object. Then the task's
 * own component is incremented, so that later accesses of the task are not covered. An acquire
 * joins the clock of the object into that of the task. A release joins instead of copying where one
 * acquire may see several releases. Atomics: see race_atomics.c. */
#include "analyses/race_order.h"

#include "analyses/race_atomics.h"
#include "analyses/race_release.h"

void order_init(struct order *order, struct pool *pool, enum sequences_mode sequences,
                bool *continued) {
    *order = (struct order){.pool = pool, .sequences = sequences, .continued = continued};
    race_objects_init(&order->objects, pool);
}

void order_begin(struct order *order) {
    order->generation++;
    race_objects_clear(&order->objects);
}

/* Everything but its clock. */
static struct order_task *reset_task(struct order *order, uint32_t number) {
    order->tasks = pool_grow(order->pool, order->tasks, &order->task_capacity, (size_t)number + 1,
                             sizeof *order->tasks);
    struct order_task *task = &order->tasks[number];
    clock_clear(&task->clock);
    clock_clear(&task->fenced);
    clock_clear(&task->loaded);
    task->loaded_continued = false;
    task->barrier_round = 0;
    task->generation = order->generation;
    task->own = 1;
    return task;
}

struct order_task *order_new_task(struct order *order, uint32_t number) {
    struct order_task *task = reset_task(order, number);
    clock_set(&task->clock, order->pool, number, 1);
    return task;
}

static bool is_there(const struct order *order, uint32_t task) {
    return order->tasks[task].generation == order->generation;
}

/* Everything but the memory of its clocks. */
struct saved_task {
    uint32_t number, own, barrier_round;
    bool loaded_continued;
};

static void write_task(const struct order_task *task, uint32_t number, struct image *image) {
    struct saved_task *saved = image_add(image, sizeof *saved);
    if (saved == NULL)
        return;
    *saved = (struct saved_task){number, task->own, task->barrier_round, task->loaded_continued};
    clock_write(&task->clock, image);
    clock_write(&task->fenced, image);
    clock_write(&task->loaded, image);
}

static void read_task(struct order *order, struct image *image) {
    const struct saved_task *saved = image_skip(image, sizeof *saved);
    struct order_task *task = reset_task(order, saved->number);
    task->own = saved->own;
    task->barrier_round = saved->barrier_round;
    task->loaded_continued = saved->loaded_continued;
    clock_read(&task->clock, order->pool, image);
    clock_read(&task->fenced, order->pool, image);
    clock_read(&task->loaded, order->pool, image);
}

void order_write(const struct order *order, struct image *image) {
    uint32_t count = 0;
    for (uint32_t task = 0; task < order->task_capacity; task++)
        count += is_there(order, task);
    image_write_number(image, count);
    for (uint32_t task = 0; task < order->task_capacity; task++)
        if (is_there(order, task))
            write_task(&order->tasks[task], task, image);
    race_objects_write(&order->objects, image);
}

void order_read(struct order *order, struct image *image) {
    order_begin(order);
    uint32_t count = (uint32_t)image_read_number(image);
    for (uint32_t i = 0; i < count; i++)
        read_task(order, image);
    race_objects_read(&order->objects, image);
}

/* --- acquire and release -------------------------------------------------------------------- */

static void acquire(struct order *order, uint32_t task, uint64_t address, uint64_t part) {
    const struct race_object *object = race_objects_find(&order->objects, address, part);
    if (object != NULL)
        acquire_object(order, order_task(order, task), object);
}

/* The only holder releases. It has acquired the old clock of the object, so a copy is enough. */
static void release(struct order *order, uint32_t task, uint64_t address, uint64_t part) {
    release_object(order, task, race_objects_get(&order->objects, address, part));
}

static void release_join(struct order *order, uint32_t number, uint64_t address, uint64_t part) {
    struct race_object *object = race_objects_get(&order->objects, address, part);
    struct order_task *task = order_task(order, number);
    clock_join(&object->clock, order->pool, &task->clock);
    object->releaser = NO_RELEASER;
    tick(task, number);
}

/* --- the other objects ---------------------------------------------------------------------- */

static void forget(struct order *order, uint64_t address) {
    for (uint64_t part = PART_MAIN; part <= PART_READERS; part++) {
        struct race_object *object = race_objects_find(&order->objects, address, part);
        if (object != NULL)
            empty_object(object);
    }
}

/* A reader is ordered after writers. A writer is ordered after readers and writers. */
static void write_lock(struct order *order, const struct event *event) {
    uint64_t address = event->op.object;
    acquire(order, event->task, address, PART_MAIN);
    acquire(order, event->task, address, PART_READERS);
    race_objects_get(&order->objects, address, PART_MAIN)->state = event->task + 1;
}

static void rw_unlock(struct order *order, const struct event *event) {
    struct race_object *lock = race_objects_get(&order->objects, event->op.object, PART_MAIN);
    if (lock->state != event->task + 1) {
        release_join(order, event->task, event->op.object, PART_READERS);
        return;
    }
    lock->state = 0;
    release(order, event->task, event->op.object, PART_MAIN);
}

/* All arrivals of a round happen before all departures of that round. The last arriver never waits,
 * and has the result 1. */
static void barrier_arrive(struct order *order, const struct event *event) {
    uint64_t address = event->op.object;
    uint32_t round = race_objects_get(&order->objects, address, PART_MAIN)->state;
    order_task(order, event->task)->barrier_round = round;
    release_join(order, event->task, address, PART_NUMBERED + round);
    if (!event->last)
        return;
    acquire(order, event->task, address, PART_NUMBERED + round);
    race_objects_get(&order->objects, address, PART_MAIN)->state++;
}

static void barrier_leave(struct order *order, const struct event *event) {
    uint32_t round = order_task(order, event->task)->barrier_round;
    acquire(order, event->task, event->op.object, PART_NUMBERED + round);
}

static void create(struct order *order, const struct event *event) {
    uint32_t number = (uint32_t)event->child;
    reset_task(order, number);
    struct order_task *parent = order_task(order, event->task);
    struct order_task *child = &order->tasks[number]; /* the array does not move any more */
    clock_copy(&child->clock, order->pool, &parent->clock);
    clock_set(&child->clock, order->pool, number, 1);
    tick(parent, event->task);
}

static void join(struct order *order, const struct event *event) {
    order_task(order, event->op.target);
    struct order_task *task = order_task(order, event->task);
    clock_join(&task->clock, order->pool, &order->tasks[event->op.target].clock);
}

/* Like a read-write lock: an acquire is ordered after all releases, but a reader is not ordered
 * after other readers. */
static void annotated(struct order *order, const struct event *event) {
    uint64_t address = event->op.object;
    bool reader = event->op.reader;
    if (event->op.kind == OP_ANNOTATE_RELEASE) {
        release_join(order, event->task, address, PART_ANNOTATED + reader);
        return;
    }
    acquire(order, event->task, address, PART_ANNOTATED);
    if (!reader)
        acquire(order, event->task, address, PART_ANNOTATED + 1);
}

static uint64_t lock_of(const struct op *op) {
    return op_has(op->kind, WITH_MUTEX) ? op->mutex : op->object;
}

static void acquire_and_release(struct order *order, const struct event *event) {
    if (op_has(event->op.kind, ACQUIRES))
        acquire(order, event->task, lock_of(&event->op), PART_MAIN);
    if (op_has(event->op.kind, RELEASES))
        release_join(order, event->task, lock_of(&event->op), PART_MAIN);
}

/* The last task to end is ordered after all others. */
static void end(struct order *order, const struct event *event) {
    uint64_t all = event->op.object;
    if (all == 0)
        return;
    acquire(order, event->task, all, PART_MAIN);
    release(order, event->task, all, PART_MAIN);
}

/* A wake-up has taken the mutex, also after a time-out. */
static bool has_effect(const struct event *event) {
    if (event->flags & EVENT_NOTE)
        return false;
    return !(event->flags & (EVENT_FAILED | EVENT_TIMED_OUT)) ||
           op_info(event->op.kind)->act == ACT_WAKE_UP;
}

void order_event(struct order *order, const struct event *event) {
    const struct op *op = &event->op;
    if (!has_effect(event))
        return;
    switch (op_info(op->kind)->act) {
    case ACT_FENCE: order_fence(order, event); break;

    case ACT_GIVE_BACK:
    case ACT_ABANDON:
    case ACT_FALL_ASLEEP: release(order, event->task, lock_of(op), PART_MAIN); break;
    case ACT_TAKE_ALONE: write_lock(order, event); break;
    case ACT_GIVE_EITHER: rw_unlock(order, event); break;

    case ACT_ARRIVE: barrier_arrive(order, event); break;
    case ACT_LEAVE: barrier_leave(order, event); break;

    case ACT_SEND: release(order, event->task, op->object, PART_NUMBERED + event->number); break;
    case ACT_RECEIVE: acquire(order, event->task, op->object, PART_NUMBERED + event->number); break;

    case ACT_CREATE: create(order, event); break;
    case ACT_JOIN: join(order, event); break;
    case ACT_END: end(order, event); break;
    case ACT_ANNOTATE: annotated(order, event); break;

    case ACT_INIT:
    case ACT_INIT_COUNT: forget(order, op->object); break;

    case ACT_NONE: /* a signal orders nothing (its mutex does), nor does a futex (its atomics do) */
    case ACT_TAKE:
    case ACT_TAKE_SHARED:
    case ACT_WAKE_UP:
    case ACT_COUNT_DOWN:
    case ACT_COUNT_UP:
    case ACT_COUNT:
    case ACT_ENTER:
    case ACT_FINISH:
    case ACT_HALT: acquire_and_release(order, event); break;

    case ACT_SECTION:
        break; /* race_section.c */

    /* accesses to memory: order_atomic_acquire() and order_atomic_release() order them, if anything
     * does */
    case ACT_READ:
    case ACT_WRITE:
    case ACT_MODIFY:
    case ACT_EXCHANGE: break;
    }
}
