/* rwlock.c - read-write locks; try, timed and clock variants.
 *
 * A reader gets the lock whenever no task writes, as with the C library's default kind. The
 * other kinds, which hold readers back while a writer waits, are treated the same, so a deadlock
 * that only they have is not seen. Read locks nest. A task that holds a read lock and wants to
 * write waits for itself, for ever. A task that holds the write lock and wants more gets
 * EDEADLK, as in the C library. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "execution/finding.h"
#include "substrates/native/calls/deadline.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/program/before_main.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/spin.h"

static struct object *rwlock_object(struct task *task, pthread_rwlock_t *rwlock, uint64_t pc) {
    bool fresh;
    return object_at(task, rwlock, OBJECT_RWLOCK, pc, &fresh);
}

static struct object_item *reader(const struct object *object, uint32_t task) {
    struct object_item *item = object->items;
    while (item != NULL && item->value != task)
        item = item->next;
    return item;
}

/* --- waiting ---------------------------------------------------------------------------------- */

/* If the task itself holds the write lock, it goes on and gets EDEADLK. */
static bool read_ready(const struct task *task) {
    const struct object *object = task->object;
    return object->owner == NO_TASK || object->owner == task->id || task->op.timed;
}

static uint32_t read_holder(const struct task *task, uint32_t nth) {
    return nth == 0 ? task->object->owner : NO_TASK;
}

static bool write_ready(const struct task *task) {
    const struct object *object = task->object;
    if (object->owner == NO_TASK && object->rwlock.readers == 0)
        return true;
    return object->owner == task->id || task->op.timed;
}

/* The writer; or else all readers, with the task itself last if it is one. */
static uint32_t write_holder(const struct task *task, uint32_t nth) {
    const struct object *object = task->object;
    if (object->owner != NO_TASK)
        return nth == 0 ? object->owner : NO_TASK;
    uint32_t others = 0;
    for (const struct object_item *item = object->items; item != NULL; item = item->next)
        if (item->value != task->id && others++ == nth)
            return (uint32_t)item->value;
    return nth == others && reader(object, task->id) != NULL ? task->id : NO_TASK;
}

static const struct wait_ops read_wait = {.ready = read_ready, .holder = read_holder};
static const struct wait_ops write_wait = {.ready = write_ready, .holder = write_holder};

/* --- taking it and giving it back ------------------------------------------------------------- */

static void changed(struct task *task, struct object *object) {
    object->version++;
    task->effects++;
}

static int acquire_read(struct task *task, struct object *object) {
    if (object->owner != NO_TASK)
        return object->owner == task->id ? EDEADLK : EBUSY;
    struct object_item *item = reader(object, task->id);
    if (item == NULL)
        item = object_push(object, task->id, 0);
    item->number++;
    object->rwlock.readers++;
    task->locks_held++;
    changed(task, object);
    return 0;
}

static int acquire_write(struct task *task, struct object *object) {
    if (object->owner != NO_TASK)
        return object->owner == task->id ? EDEADLK : EBUSY;
    if (object->rwlock.readers > 0)
        return EBUSY;
    object->owner = task->id;
    task->locks_held++;
    changed(task, object);
    return 0;
}

static bool release(struct task *task, struct object *object) {
    struct object_item *item = reader(object, task->id);
    if (object->owner == task->id) {
        object->owner = NO_TASK;
    } else if (item != NULL) {
        object->rwlock.readers--;
        if (--item->number == 0)
            object_remove(object, item);
    } else {
        return false;
    }
    task->locks_held--;
    changed(task, object);
    return true;
}

/* --- the operations --------------------------------------------------------------------------- */

static int acquire(struct task *task, struct object *object, enum op_kind kind) {
    bool write = kind == OP_WRITE_LOCK || kind == OP_TRY_WRITE_LOCK;
    return write ? acquire_write(task, object) : acquire_read(task, object);
}

static int lock(struct task *task, pthread_rwlock_t *rwlock, enum op_kind kind, clockid_t clock,
                const struct timespec *deadline, uint64_t pc) {
    struct object *object = rwlock_object(task, rwlock, pc);
    struct op op = {.kind = kind, .object = (uint64_t)rwlock, .timed = deadline != NULL, .pc = pc};
    struct event *event =
        perform(task, &op, kind == OP_READ_LOCK ? &read_wait : &write_wait, object);
    int error = acquire(task, object, kind);
    if (error == EBUSY) {
        error = deadline_passed(task, clock, deadline);
        event->flags |= EVENT_TIMED_OUT;
    }
    if (error != 0)
        event->flags |= EVENT_FAILED;
    event->error = (uint64_t)error;
    happened(event);
    return error;
}

static int trylock(struct task *task, pthread_rwlock_t *rwlock, enum op_kind kind, uint64_t pc) {
    struct object *object = rwlock_object(task, rwlock, pc);
    struct op op = {.kind = kind, .object = (uint64_t)rwlock, .pc = pc};
    struct event *event = perform(task, &op, NULL, object);
    int error = acquire(task, object, kind);
    if (error != 0) {
        error = EBUSY;
        event->flags |= EVENT_FAILED;
        spin_read(task, &object->version, sizeof object->version);
    }
    event->error = (uint64_t)error;
    happened(event);
    return error;
}

void rwlock_take(struct task *task, void *rwlock, bool write, uint64_t pc) {
    lock(task, rwlock, write ? OP_WRITE_LOCK : OP_READ_LOCK, CLOCK_REALTIME, NULL, pc);
}

/* --- what the program calls ------------------------------------------------------------------- */

EXPORT int pthread_rwlock_init(pthread_rwlock_t *rwlock, const pthread_rwlockattr_t *attributes) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_rwlock_init(rwlock, attributes);
    struct op op = {.kind = OP_RWLOCK_INIT, .object = (uint64_t)rwlock, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, NULL);
    real.pthread_rwlock_init(rwlock, attributes);
    object_new(task, rwlock, OBJECT_RWLOCK, CALLER);
    happened(event);
    return 0;
}

EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *rwlock) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_rwlock_destroy(rwlock);
    struct object *object = rwlock_object(task, rwlock, CALLER);
    struct op op = {.kind = OP_RWLOCK_DESTROY, .object = (uint64_t)rwlock, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, object);
    if (object->owner != NO_TASK || object->rwlock.readers > 0)
        found(task, FINDING_MISUSE, (uint64_t)rwlock, CALLER,
              "destroy of a read-write lock that is locked");
    object->destroyed = true;
    task->effects++;
    happened(event);
    return 0;
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *rwlock) {
    struct task *task = rt.current;
    return task == NULL
               ? early_locked(real.pthread_rwlock_rdlock(rwlock), rwlock, EARLY_READ_LOCK, CALLER)
               : lock(task, rwlock, OP_READ_LOCK, CLOCK_REALTIME, NULL, CALLER);
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *rwlock) {
    struct task *task = rt.current;
    return task == NULL
               ? early_locked(real.pthread_rwlock_wrlock(rwlock), rwlock, EARLY_WRITE_LOCK, CALLER)
               : lock(task, rwlock, OP_WRITE_LOCK, CLOCK_REALTIME, NULL, CALLER);
}

EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *rwlock) {
    struct task *task = rt.current;
    return task == NULL ? early_locked(real.pthread_rwlock_tryrdlock(rwlock), rwlock,
                                       EARLY_READ_LOCK, CALLER)
                        : trylock(task, rwlock, OP_TRY_READ_LOCK, CALLER);
}

EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *rwlock) {
    struct task *task = rt.current;
    return task == NULL ? early_locked(real.pthread_rwlock_trywrlock(rwlock), rwlock,
                                       EARLY_WRITE_LOCK, CALLER)
                        : trylock(task, rwlock, OP_TRY_WRITE_LOCK, CALLER);
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *rwlock, const struct timespec *deadline) {
    struct task *task = rt.current;
    return task == NULL ? early_locked(real.pthread_rwlock_timedrdlock(rwlock, deadline), rwlock,
                                       EARLY_READ_LOCK, CALLER)
                        : lock(task, rwlock, OP_READ_LOCK, CLOCK_REALTIME, deadline, CALLER);
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *rwlock, const struct timespec *deadline) {
    struct task *task = rt.current;
    return task == NULL ? early_locked(real.pthread_rwlock_timedwrlock(rwlock, deadline), rwlock,
                                       EARLY_WRITE_LOCK, CALLER)
                        : lock(task, rwlock, OP_WRITE_LOCK, CLOCK_REALTIME, deadline, CALLER);
}

EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *rwlock, clockid_t clock,
                                      const struct timespec *deadline) {
    struct task *task = rt.current;
    return task == NULL ? early_locked(real.pthread_rwlock_clockrdlock(rwlock, clock, deadline),
                                       rwlock, EARLY_READ_LOCK, CALLER)
                        : lock(task, rwlock, OP_READ_LOCK, clock, deadline, CALLER);
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *rwlock, clockid_t clock,
                                      const struct timespec *deadline) {
    struct task *task = rt.current;
    return task == NULL ? early_locked(real.pthread_rwlock_clockwrlock(rwlock, clock, deadline),
                                       rwlock, EARLY_WRITE_LOCK, CALLER)
                        : lock(task, rwlock, OP_WRITE_LOCK, clock, deadline, CALLER);
}

EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *rwlock) {
    struct task *task = rt.current;
    if (task == NULL)
        return early_unlocked(real.pthread_rwlock_unlock(rwlock), rwlock);
    struct object *object = rwlock_object(task, rwlock, CALLER);
    struct op op = {.kind = OP_RW_UNLOCK, .object = (uint64_t)rwlock, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, object);
    if (!release(task, object))
        found(task, FINDING_MISUSE, (uint64_t)rwlock, CALLER,
              "unlock of a read-write lock that the task does not hold");
    happened(event);
    return 0;
}
