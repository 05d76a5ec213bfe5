/* race_order.c - see race_order.h.
 *
 * A release copies (or joins) the task's clock into the object's and then moves the task's own
 * component on, so that what the task does later is not covered; an acquire joins the object's clock
 * into the task's. A join is used where several releases may be seen by one acquire.
 *
 * Atomics (C11 7.17.3): the clock of a location is what an acquire load of its present value
 * synchronises with. A store replaces it, by the task's clock if it releases, else by the clock of its
 * last release fence, unless it goes on with a release sequence (race_sequence.h); a
 * read-modify-write adds to it. A load that
 * does not acquire keeps what it saw for a later acquire fence. A failed compare-exchange is a load in
 * its failure order, which stands in op.target.
 *
 * Left out: a location is known by its address. Atomic accesses of different sizes that overlap but
 * begin at different addresses do not synchronise with each other. */
#include "analyses/race_order.h"

#include "analyses/race_sequence.h"

/* Sections are one lock; no object of the program stands at this address. */
#define SECTION_LOCK 1

void order_init(struct order *order, struct pool *pool, enum sequences_mode sequences,
                bool *continued) {
    *order = (struct order){.pool = pool, .sequences = sequences, .continued = continued};
    race_objects_init(&order->objects, pool);
}

void order_begin(struct order *order) {
    order->generation++;
    race_objects_clear(&order->objects);
}

/* All but its clock. */
static struct order_task *reset_task(struct order *order, uint32_t number) {
    order->tasks = pool_grow(order->pool, order->tasks, &order->task_capacity, (size_t)number + 1,
                             sizeof *order->tasks);
    struct order_task *task = &order->tasks[number];
    clock_clear(&task->clock);
    clock_clear(&task->fenced);
    clock_clear(&task->loaded);
    task->in_section = task->loaded_continued = false;
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

/* All but the memory of its clocks. */
struct saved_task {
    uint32_t number, own, barrier_round;
    bool in_section, loaded_continued;
};

static void write_task(const struct order_task *task, uint32_t number, struct image *image) {
    struct saved_task saved = {number, task->own, task->barrier_round, task->in_section,
                               task->loaded_continued};
    image_write(image, &saved, sizeof saved);
    clock_write(&task->clock, image);
    clock_write(&task->fenced, image);
    clock_write(&task->loaded, image);
}

static void read_task(struct order *order, struct image *image) {
    struct saved_task saved;
    image_read(image, &saved, sizeof saved);
    struct order_task *task = reset_task(order, saved.number);
    task->own = saved.own;
    task->barrier_round = saved.barrier_round;
    task->in_section = saved.in_section;
    task->loaded_continued = saved.loaded_continued;
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

static bool knows(const struct order_task *task, const struct race_object *object) {
    return object->releaser != NO_RELEASER &&
           clock_get(&task->clock, object->releaser) >= object->released_at;
}

static void acquire_object(struct order *order, struct order_task *task,
                           const struct race_object *object) {
    if (!knows(task, object))
        clock_join(&task->clock, order->pool, &object->clock);
}

static void acquire(struct order *order, uint32_t task, uint64_t address, uint64_t part) {
    const struct race_object *object = race_objects_find(&order->objects, address, part);
    if (object != NULL)
        acquire_object(order, order_task(order, task), object);
}

static void tick(struct order_task *task, uint32_t number) {
    task->clock.components[number] = ++task->own;
}

/* The object's clock becomes that of the task. */
static void release_object(struct order *order, uint32_t number, struct race_object *object) {
    struct order_task *task = order_task(order, number);
    clock_copy(&object->clock, order->pool, &task->clock);
    object->releaser = number;
    object->released_at = task->own;
    tick(task, number);
}

/* The only holder releases: what was there before, it has acquired. */
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

/* --- atomics -------------------------------------------------------------------------------- */

static bool acquires(uint32_t memory_order) {
    return memory_order != ORDER_RELAXED && memory_order != ORDER_RELEASE;
}

static bool releases(uint32_t memory_order) {
    return memory_order >= ORDER_RELEASE;
}

struct race_object *order_location(struct order *order, const struct event *event) {
    return race_objects_get(&order->objects, event->op.object, PART_MAIN);
}

/* The reader gets something that it would not get in C++20, now or by its next acquire fence. */
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
    bool acquiring = acquires(failed ? event->op.target : event->op.order);
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

/* All release sequences of the location end. */
static void end_sequences(struct race_object *location) {
    location->stores++;
    location->continued = false;
}

/* It knows all that was there before: a store by ending it, a read-modify-write since it has acquired it. */
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

/* Its own component stays: what it has done since then bears that. */
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

static void fence(struct order *order, const struct event *event) {
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

static void empty(struct race_object *object) {
    end_sequences(object);
    clock_clear(&object->clock);
    object->releaser = NO_RELEASER;
}

void order_overwritten(struct order *order, uint64_t location, uint64_t address) {
    struct race_object *object = race_objects_find(&order->objects, location, PART_MAIN);
    if (object != NULL && location + object->state > address)
        empty(object);
}

/* --- the other objects ---------------------------------------------------------------------- */

static void forget(struct order *order, uint64_t address) {
    for (uint64_t part = PART_MAIN; part <= PART_READERS; part++) {
        struct race_object *object = race_objects_find(&order->objects, address, part);
        if (object != NULL)
            empty(object);
    }
}

/* A reader is ordered after writers; a writer after both. */
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

/* All arrivals of a round happen before all that leave it. The last arriver, which never waits, has the
 * result 1. */
static void barrier_arrive(struct order *order, const struct event *event) {
    uint64_t address = event->op.object;
    uint32_t round = race_objects_get(&order->objects, address, PART_MAIN)->state;
    order_task(order, event->task)->barrier_round = round;
    release_join(order, event->task, address, PART_NUMBERED + round);
    if (event->result != 1)
        return;
    acquire(order, event->task, address, PART_NUMBERED + round);
    race_objects_get(&order->objects, address, PART_MAIN)->state++;
}

static void barrier_leave(struct order *order, const struct event *event) {
    uint32_t round = order_task(order, event->task)->barrier_round;
    acquire(order, event->task, event->op.object, PART_NUMBERED + round);
}

static void create(struct order *order, const struct event *event) {
    uint32_t number = (uint32_t)event->result;
    reset_task(order, number);
    struct order_task *parent = order_task(order, event->task);
    struct order_task *child = &order->tasks[number]; /* now that the array will not move */
    clock_copy(&child->clock, order->pool, &parent->clock);
    clock_set(&child->clock, order->pool, number, 1);
    tick(parent, event->task);
}

static void join(struct order *order, const struct event *event) {
    order_task(order, event->op.target);
    struct order_task *task = order_task(order, event->task);
    clock_join(&task->clock, order->pool, &order->tasks[event->op.target].clock);
}

/* op.value: 0 at the begin of a section, 1 at its end. */
static void section(struct order *order, const struct event *event) {
    bool begins = event->op.value == 0;
    if (begins)
        acquire(order, event->task, SECTION_LOCK, PART_MAIN);
    else
        release(order, event->task, SECTION_LOCK, PART_MAIN);
    order_task(order, event->task)->in_section = begins;
}

/* As of a read-write lock: an acquire comes behind all releases, but for that of a reader and those of other readers. */
static void annotated(struct order *order, const struct event *event) {
    uint64_t address = event->op.object;
    bool reader = event->op.value == ANNOTATE_READER;
    if (event->op.kind == OP_ANNOTATE_RELEASE) {
        release_join(order, event->task, address, PART_ANNOTATED + reader);
        return;
    }
    acquire(order, event->task, address, PART_ANNOTATED);
    if (!reader)
        acquire(order, event->task, address, PART_ANNOTATED + 1);
}

void order_event(struct order *order, const struct event *event) {
    const struct op *op = &event->op;
    if (op->kind == OP_COND_WAKE) { /* the mutex is back, also after a time-out */
        acquire(order, event->task, op->object2, PART_MAIN);
        return;
    }
    if (event->flags & (EVENT_FAILED | EVENT_TIMED_OUT | EVENT_NOTE))
        return;
    switch ((enum op_kind)op->kind) {
    case OP_FENCE: fence(order, event); break;

    case OP_LOCK:
    case OP_TRYLOCK:
    case OP_SPIN_LOCK:
    case OP_SPIN_TRYLOCK:
    case OP_READ_LOCK:
    case OP_TRY_READ_LOCK:
    case OP_SEM_WAIT:
    case OP_SEM_TRYWAIT:
    case OP_ONCE_ENTER: acquire(order, event->task, op->object, PART_MAIN); break;

    case OP_UNLOCK:
    case OP_ABANDON:
    case OP_SPIN_UNLOCK: release(order, event->task, op->object, PART_MAIN); break;
    case OP_COND_WAIT: release(order, event->task, op->object2, PART_MAIN); break;
    case OP_SEM_POST:
    case OP_ONCE_LEAVE: release_join(order, event->task, op->object, PART_MAIN); break;

    case OP_WRITE_LOCK:
    case OP_TRY_WRITE_LOCK: write_lock(order, event); break;
    case OP_RW_UNLOCK: rw_unlock(order, event); break;

    case OP_BARRIER_ARRIVE: barrier_arrive(order, event); break;
    case OP_BARRIER_LEAVE: barrier_leave(order, event); break;

    case OP_SEND: release(order, event->task, op->object, PART_NUMBERED + event->result); break;
    case OP_RECEIVE:
    case OP_TRY_RECEIVE:
        acquire(order, event->task, op->object, PART_NUMBERED + event->result);
        break;

    case OP_ANNOUNCE: /* what a monitor sees, no machine sees */
    case OP_HALT: break;

    case OP_CREATE: create(order, event); break;
    case OP_JOIN:
    case OP_TRYJOIN: join(order, event); break;
    case OP_ATOMIC: section(order, event); break;
    case OP_ANNOTATE_RELEASE:
    case OP_ANNOTATE_ACQUIRE: annotated(order, event); break;

    case OP_END: /* the last one of all comes after the others */
        if (op->object != 0) {
            acquire(order, event->task, op->object, PART_MAIN);
            release(order, event->task, op->object, PART_MAIN);
        }
        break;

    case OP_MUTEX_INIT:
    case OP_RWLOCK_INIT:
    case OP_SPIN_INIT:
    case OP_SEM_INIT: forget(order, op->object); break;

    /* memory: order_atomic_acquire() and order_atomic_release(), or no order at all */
    case OP_LOAD:
    case OP_STORE:
    case OP_RMW:
    case OP_CAS:
    case OP_VOLATILE_READ:
    case OP_VOLATILE_WRITE:
    case OP_PLAIN_READ:
    case OP_PLAIN_WRITE:
    /* a signal orders nothing: the mutex does; nor does a futex: the atomics do */
    case OP_COND_INIT:
    case OP_COND_DESTROY:
    case OP_COND_SLEEP:
    case OP_COND_WAKE:
    case OP_COND_SIGNAL:
    case OP_COND_BROADCAST:
    case OP_MUTEX_DESTROY:
    case OP_RWLOCK_DESTROY:
    case OP_SPIN_DESTROY:
    case OP_BARRIER_INIT:
    case OP_BARRIER_DESTROY:
    case OP_SEM_DESTROY:
    case OP_SEM_GETVALUE:
    case OP_FUTEX_WAIT:
    case OP_FUTEX_SLEEP:
    case OP_FUTEX_WAKE:
    case OP_DETACH:
    case OP_KILL:
    case OP_CANCEL:
    case OP_CANCEL_POINT:
    case OP_EXIT:
    case OP_FAIL:
    case OP_KEY:
    case OP_CHOOSE:
    case OP_YIELD:
    case OP_SLEEP:
    case OP_ASSUME:
    case OP_KINDS: break;
    }
}
