/* spinlock.c - pthread_spin_*. A task that finds the lock taken is blocked and does not spin: no
 * task could tell the difference. A task that locks a spin lock again, which it holds already,
 * is blocked for ever. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "execution/finding.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/program/before_main.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/spin.h"

static struct object *spin_object(struct task *task, pthread_spinlock_t *spin, uint64_t pc) {
    bool fresh;
    return object_at(task, (void *)spin, OBJECT_SPIN, pc, &fresh);
}

static bool ready(const struct task *task) {
    return task->object->owner == NO_TASK;
}

static uint32_t holder(const struct task *task, uint32_t nth) {
    return nth == 0 ? task->object->owner : NO_TASK;
}

static const struct wait_ops spin_lock_wait = {.ready = ready, .holder = holder};

static void set_owner(struct task *task, struct object *object, uint32_t owner) {
    object->owner = owner;
    object->version++;
    task->effects++;
}

EXPORT int pthread_spin_init(pthread_spinlock_t *spin, int shared) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_spin_init(spin, shared);
    struct op op = {.kind = OP_SPIN_INIT, .object = (uint64_t)spin, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, NULL);
    object_new(task, (void *)spin, OBJECT_SPIN, CALLER);
    happened(event);
    return 0;
}

EXPORT int pthread_spin_destroy(pthread_spinlock_t *spin) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_spin_destroy(spin);
    struct object *object = spin_object(task, spin, CALLER);
    struct op op = {.kind = OP_SPIN_DESTROY, .object = (uint64_t)spin, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, object);
    if (object->owner != NO_TASK)
        found(task, FINDING_MISUSE, (uint64_t)spin, CALLER,
              "destroy of a spin lock that is locked");
    object->destroyed = true;
    task->effects++;
    happened(event);
    return 0;
}

void spin_lock_take(struct task *task, void *spin, uint64_t pc) {
    struct object *object = spin_object(task, spin, pc);
    struct op op = {.kind = OP_SPIN_LOCK, .object = (uint64_t)spin, .pc = pc};
    struct event *event = perform(task, &op, &spin_lock_wait, object);
    set_owner(task, object, task->id);
    task->locks_held++;
    happened(event);
}

EXPORT int pthread_spin_lock(pthread_spinlock_t *spin) {
    struct task *task = rt.current;
    if (task == NULL)
        return early_locked(real.pthread_spin_lock(spin), (void *)spin, EARLY_SPIN_LOCK, CALLER);
    spin_lock_take(task, (void *)spin, CALLER);
    return 0;
}

EXPORT int pthread_spin_trylock(pthread_spinlock_t *spin) {
    struct task *task = rt.current;
    if (task == NULL)
        return early_locked(real.pthread_spin_trylock(spin), (void *)spin, EARLY_SPIN_LOCK, CALLER);
    struct object *object = spin_object(task, spin, CALLER);
    struct op op = {.kind = OP_SPIN_TRYLOCK, .object = (uint64_t)spin, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, object);
    int error = object->owner == NO_TASK ? 0 : EBUSY;
    if (error == 0) {
        set_owner(task, object, task->id);
        task->locks_held++;
    } else {
        event->flags |= EVENT_FAILED;
        spin_read(task, &object->version, sizeof object->version);
    }
    event->error = (uint64_t)error;
    happened(event);
    return error;
}

EXPORT int pthread_spin_unlock(pthread_spinlock_t *spin) {
    struct task *task = rt.current;
    if (task == NULL)
        return early_unlocked(real.pthread_spin_unlock(spin), (void *)spin);
    struct object *object = spin_object(task, spin, CALLER);
    struct op op = {.kind = OP_SPIN_UNLOCK, .object = (uint64_t)spin, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, object);
    if (object->owner != task->id)
        found(task, FINDING_MISUSE, (uint64_t)spin, CALLER, "unlock of a spin lock that %s",
              object->owner == NO_TASK ? "nobody holds" : "another task holds");
    set_owner(task, object, NO_TASK);
    task->locks_held--;
    happened(event);
    return 0;
}
