/* mutex.c - pthread mutexes: normal, recursive, error-checking, robust; try, timed and clock
 * variants.
 *
 * The type of a mutex is where the C library keeps it, so that static initialisers work; the
 * rest of the state is ours. A timed lock never times out while the mutex is free. If the task
 * is chosen while the mutex is held, the lock times out. Misuse that POSIX calls undefined is a
 * finding; an error that POSIX defines is returned.
 *
 * A robust mutex whose owner has ended is an orphan. The next task that locks an orphan gets it,
 * with EOWNERDEAD. If this task unlocks the mutex before it has made it consistent, the mutex is
 * lost, and every later lock fails. Orphans are made one by one, the mutex that was locked last
 * first, as the kernel does. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "execution/finding.h"
#include "substrates/native/calls/deadline.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/program/before_main.h"
#include "substrates/native/sync/locks.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/spin.h"

/* The bits of object->mutex.kind. */
enum {
    MUTEX_TYPE = 3,    /* these bits and the next one are those of the C library, */
    MUTEX_ROBUST = 16, /* which has others for priorities and sharing */
    MUTEX_ORPHAN = 32, /* its owner has ended, and no task has made it consistent */
    MUTEX_LOST = 64,
};

static uint32_t kind_of(const pthread_mutex_t *mutex) {
    return (uint32_t)mutex->__data.__kind & (MUTEX_TYPE | MUTEX_ROBUST);
}

static uint32_t type_of(const struct object *object) {
    return object->mutex.kind & MUTEX_TYPE;
}

bool mutex_is_robust(const struct object *object) {
    return object->type == OBJECT_MUTEX && (object->mutex.kind & MUTEX_ROBUST);
}

/* Whether unlocking a mutex that another task holds is an error, and not undefined. */
bool mutex_checks_owner(const struct object *object) {
    return type_of(object) == PTHREAD_MUTEX_ERRORCHECK || mutex_is_robust(object);
}

/* Whether an attempt with this result has given the task the mutex. */
bool mutex_taken(int error) {
    return error == 0 || error == EOWNERDEAD;
}

struct object *mutex_object(struct task *task, pthread_mutex_t *mutex, uint64_t pc) {
    bool fresh;
    struct object *object = object_at(task, mutex, OBJECT_MUTEX, pc, &fresh);
    if (fresh)
        object->mutex.kind = kind_of(mutex);
    return object;
}

/* Whether a lock does not wait. If the task itself holds the mutex, a normal one blocks for
 * ever, and the other types answer at once. */
bool mutex_free_for(const struct object *object, const struct task *task) {
    if (object->owner == NO_TASK)
        return true;
    return object->owner == task->id && type_of(object) != PTHREAD_MUTEX_NORMAL &&
           type_of(object) != PTHREAD_MUTEX_ADAPTIVE_NP;
}

static bool ready(const struct task *task) {
    return mutex_free_for(task->object, task) || task->op.timed;
}

static uint32_t holder(const struct task *task, uint32_t nth) {
    return nth == 0 ? task->object->owner : NO_TASK;
}

const struct wait_ops mutex_wait = {.ready = ready, .holder = holder};

static uint64_t next_rank(const struct task *task) {
    const struct object *last = task->locks_held ? object_held_by(task, RANK_ANY) : NULL;
    return last != NULL ? object_rank(last) + 1 : 1;
}

/* Takes the mutex, or returns an error. The caller has made sure that the mutex is free, or may
 * fail. */
int mutex_acquire(struct task *task, struct object *object) {
    if (object->mutex.kind & MUTEX_LOST)
        return ENOTRECOVERABLE;
    if (object->owner == NO_TASK) {
        if (object->mutex.kind & MUTEX_ROBUST)
            object->mutex.rank = next_rank(task);
        object->owner = task->id;
        object->mutex.count = 1;
        object->version++;
        task->locks_held++;
        task->effects++;
        return object->mutex.kind & MUTEX_ORPHAN ? EOWNERDEAD : 0;
    }
    if (object->owner != task->id)
        return EBUSY;
    if (type_of(object) == PTHREAD_MUTEX_RECURSIVE) {
        object->mutex.count++;
        task->effects++;
        return 0;
    }
    return type_of(object) == PTHREAD_MUTEX_ERRORCHECK ? EDEADLK : EBUSY;
}

static void leave(struct task *task, struct object *object) {
    object->owner = NO_TASK;
    object->mutex.rank = 0;
    object->version++;
    task->locks_held--;
}

int mutex_release(struct task *task, struct object *object) {
    task->effects++;
    if (--object->mutex.count > 0)
        return 0;
    leave(task, object);
    if (!(object->mutex.kind & MUTEX_ORPHAN))
        return 0;
    object->mutex.kind |= MUTEX_LOST;
    return ENOTRECOVERABLE;
}

void mutex_abandon(struct task *task, struct object *object, uint64_t pc) {
    struct op op = {.kind = OP_ABANDON, .object = object->address, .pc = pc};
    struct event *event = perform(task, &op, NULL, object);
    object->mutex.count = 0;
    object->mutex.kind |= MUTEX_ORPHAN;
    leave(task, object);
    happened(event);
}

int mutex_lock_object(struct task *task, struct object *object, const struct lock_call *call) {
    struct op op = {
        .kind = OP_LOCK, .object = call->address, .timed = call->deadline != NULL, .pc = call->pc};
    struct event *event = perform(task, &op, &mutex_wait, object);
    int error = mutex_acquire(task, object);
    if (error == EBUSY) {
        error = deadline_passed(task, call->clock, call->deadline);
        event->flags |= EVENT_FAILED | EVENT_TIMED_OUT;
    } else if (!mutex_taken(error)) {
        event->flags |= EVENT_FAILED;
    }
    event->error = (uint64_t)error;
    happened(event);
    return error;
}

int mutex_trylock_object(struct task *task, struct object *object, const struct lock_call *call) {
    struct op op = {.kind = OP_TRYLOCK, .object = call->address, .pc = call->pc};
    struct event *event = perform(task, &op, NULL, object);
    int error = mutex_acquire(task, object);
    if (!mutex_taken(error)) {
        error = error == ENOTRECOVERABLE ? error : EBUSY;
        event->flags |= EVENT_FAILED;
        spin_read(task, &object->version, sizeof object->version);
    }
    event->error = (uint64_t)error;
    happened(event);
    return error;
}

static int unlock_of_others(struct task *task, const struct object *object, struct event *event,
                            const struct lock_call *call) {
    if (!mutex_checks_owner(object) && type_of(object) != PTHREAD_MUTEX_RECURSIVE)
        found(task, FINDING_MISUSE, call->address, call->pc, "unlock of a mutex that %s",
              object->owner == NO_TASK ? "nobody holds" : "another task holds");
    event->flags |= EVENT_FAILED;
    event->error = EPERM;
    happened(event);
    return EPERM;
}

int mutex_unlock_object(struct task *task, struct object *object, const struct lock_call *call) {
    struct op op = {.kind = OP_UNLOCK, .object = call->address, .pc = call->pc};
    struct event *event = perform(task, &op, NULL, object);
    if (object->owner != task->id)
        return unlock_of_others(task, object, event, call);
    event->error = (uint64_t)mutex_release(task, object);
    happened(event);
    return 0;
}

/* --- with the caller's place, for pthread_mutex_* and mtx_* --- */

int mutex_lock(struct task *task, pthread_mutex_t *mutex, clockid_t clock,
               const struct timespec *deadline, uint64_t pc) {
    struct lock_call call = {(uint64_t)mutex, clock, deadline, pc};
    return mutex_lock_object(task, mutex_object(task, mutex, pc), &call);
}

int mutex_trylock(struct task *task, pthread_mutex_t *mutex, uint64_t pc) {
    struct lock_call call = {.address = (uint64_t)mutex, .pc = pc};
    return mutex_trylock_object(task, mutex_object(task, mutex, pc), &call);
}

int mutex_unlock(struct task *task, pthread_mutex_t *mutex, uint64_t pc) {
    struct lock_call call = {.address = (uint64_t)mutex, .pc = pc};
    return mutex_unlock_object(task, mutex_object(task, mutex, pc), &call);
}

int mutex_init(struct task *task, pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes,
               uint64_t pc) {
    struct op op = {.kind = OP_MUTEX_INIT, .object = (uint64_t)mutex, .pc = pc};
    struct event *event = perform(task, &op, NULL, NULL);
    real.pthread_mutex_init(mutex, attributes);
    object_new(task, mutex, OBJECT_MUTEX, pc)->mutex.kind = kind_of(mutex);
    happened(event);
    return 0;
}

int mutex_destroy(struct task *task, pthread_mutex_t *mutex, uint64_t pc) {
    struct object *object = mutex_object(task, mutex, pc);
    struct op op = {.kind = OP_MUTEX_DESTROY, .object = (uint64_t)mutex, .pc = pc};
    struct event *event = perform(task, &op, NULL, object);
    if (object->owner != NO_TASK)
        found(task, FINDING_MISUSE, (uint64_t)mutex, pc, "destroy of a mutex that is locked");
    object->destroyed = true;
    task->effects++;
    happened(event);
    return 0;
}

/* --- what the program calls --- */

EXPORT int pthread_mutex_lock(pthread_mutex_t *mutex) {
    struct task *task = task_calling(CALLER);
    return task == NULL ? early_locked(real.pthread_mutex_lock(mutex), mutex, EARLY_MUTEX, CALLER)
                        : mutex_lock(task, mutex, CLOCK_REALTIME, NULL, CALLER);
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline) {
    struct task *task = rt.current;
    return task == NULL ? early_locked(real.pthread_mutex_timedlock(mutex, deadline), mutex,
                                       EARLY_MUTEX, CALLER)
                        : mutex_lock(task, mutex, CLOCK_REALTIME, deadline, CALLER);
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                   const struct timespec *deadline) {
    struct task *task = rt.current;
    return task == NULL ? early_locked(real.pthread_mutex_clocklock(mutex, clock, deadline), mutex,
                                       EARLY_MUTEX, CALLER)
                        : mutex_lock(task, mutex, clock, deadline, CALLER);
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    struct task *task = rt.current;
    return task == NULL
               ? early_locked(real.pthread_mutex_trylock(mutex), mutex, EARLY_MUTEX, CALLER)
               : mutex_trylock(task, mutex, CALLER);
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    struct task *task = task_calling(CALLER);
    return task == NULL ? early_unlocked(real.pthread_mutex_unlock(mutex), mutex)
                        : mutex_unlock(task, mutex, CALLER);
}

EXPORT int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    struct task *task = rt.current;
    return task == NULL ? real.pthread_mutex_init(mutex, attributes)
                        : mutex_init(task, mutex, attributes, CALLER);
}

EXPORT int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    struct task *task = rt.current;
    return task == NULL ? real.pthread_mutex_destroy(mutex) : mutex_destroy(task, mutex, CALLER);
}

/* Only the owner can tell before the mutex is unlocked, so this is no operation. */
EXPORT int pthread_mutex_consistent(pthread_mutex_t *mutex) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_mutex_consistent(mutex);
    struct object *object = mutex_object(task, mutex, CALLER);
    if (object->owner != task->id || !(object->mutex.kind & MUTEX_ORPHAN))
        return EINVAL;
    object->mutex.kind &= ~(uint32_t)MUTEX_ORPHAN;
    task->effects++;
    return 0;
}
