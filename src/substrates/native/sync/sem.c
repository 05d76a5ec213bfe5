/* sem.c - POSIX semaphores without a name. Waiting is a cancellation point. A timed wait never
 * times out while the value is positive. If the task is chosen while the value is zero, the wait
 * times out. Named semaphores belong to several processes, and are refused. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>

#include "execution/finding.h"
#include "substrates/native/calls/deadline.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/spin.h"
#include "substrates/native/tasks/thread_end.h"

/* A semaphore that was initialised before main has its value
 * where the C library keeps it: in the word that then gets our mark. */
static struct object *sem_object(struct task *task, sem_t *sem, uint64_t pc) {
    uint32_t value = *(const uint32_t *)sem;
    bool fresh;
    struct object *object = object_at(task, sem, OBJECT_SEM, pc, &fresh);
    if (fresh)
        object->sem.value = value;
    return object;
}

static bool ready(const struct task *task) {
    return task->object->sem.value > 0 || task->op.timed;
}

static const struct wait_ops sem_ready = {.ready = ready};

static int give_up(int error) {
    errno = error;
    return -1;
}

static int result_of(struct event *event, int error) {
    if (error != 0)
        event->flags |= EVENT_FAILED;
    happened(event);
    return error == 0 ? 0 : give_up(error);
}

static void set_value(struct task *task, struct object *object, uint32_t value) {
    object->sem.value = value;
    object->version++;
    task->effects++;
}

static int wait(struct task *task, sem_t *sem, clockid_t clock, const struct timespec *deadline,
                uint64_t pc) {
    struct object *object = sem_object(task, sem, pc);
    struct op op = {
        .kind = OP_SEM_WAIT, .object = (uint64_t)sem, .timed = deadline != NULL, .pc = pc};
    struct event *event = perform_cancellable(task, &op, &sem_ready, object);
    int error = 0;
    event->count = object->sem.value;
    if (object->sem.value > 0) {
        set_value(task, object, object->sem.value - 1);
    } else {
        error = deadline_passed(task, clock, deadline);
        event->flags |= EVENT_TIMED_OUT;
    }
    return result_of(event, error);
}

/* Whether a task stands at a wait that has to block. */
static bool has_waiters(const struct object *object) {
    for (uint32_t i = 0; i < live_tasks.count; i++) {
        const struct task *task = live_task(i);
        if (task->op.kind == OP_SEM_WAIT && task->op.object == object->address)
            return object->sem.value == 0;
    }
    return false;
}

EXPORT int sem_init(sem_t *sem, int shared, unsigned value) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.sem_init(sem, shared, value);
    if (value > SEM_VALUE_MAX)
        return give_up(EINVAL);
    struct op op = {.kind = OP_SEM_INIT, .object = (uint64_t)sem, .value = value, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, NULL);
    object_new(task, sem, OBJECT_SEM, CALLER)->sem.value = value;
    return result_of(event, 0);
}

EXPORT int sem_destroy(sem_t *sem) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.sem_destroy(sem);
    struct object *object = sem_object(task, sem, CALLER);
    struct op op = {.kind = OP_SEM_DESTROY, .object = (uint64_t)sem, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, object);
    if (has_waiters(object))
        found(task, FINDING_MISUSE, (uint64_t)sem, CALLER,
              "destroy of a semaphore on which tasks wait");
    object->destroyed = true;
    task->effects++;
    return result_of(event, 0);
}

EXPORT int sem_wait(sem_t *sem) {
    struct task *task = rt.current;
    return task == NULL ? real.sem_wait(sem) : wait(task, sem, CLOCK_REALTIME, NULL, CALLER);
}

EXPORT int sem_timedwait(sem_t *sem, const struct timespec *deadline) {
    struct task *task = rt.current;
    return task == NULL ? real.sem_timedwait(sem, deadline)
                        : wait(task, sem, CLOCK_REALTIME, deadline, CALLER);
}

EXPORT int sem_clockwait(sem_t *sem, clockid_t clock, const struct timespec *deadline) {
    struct task *task = rt.current;
    return task == NULL ? real.sem_clockwait(sem, clock, deadline)
                        : wait(task, sem, clock, deadline, CALLER);
}

EXPORT int sem_trywait(sem_t *sem) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.sem_trywait(sem);
    struct object *object = sem_object(task, sem, CALLER);
    struct op op = {.kind = OP_SEM_TRYWAIT, .object = (uint64_t)sem, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, object);
    event->count = object->sem.value;
    if (object->sem.value == 0) {
        spin_read(task, &object->version, sizeof object->version);
        return result_of(event, EAGAIN);
    }
    set_value(task, object, object->sem.value - 1);
    return result_of(event, 0);
}

EXPORT int sem_post(sem_t *sem) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.sem_post(sem);
    struct object *object = sem_object(task, sem, CALLER);
    struct op op = {.kind = OP_SEM_POST, .object = (uint64_t)sem, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, object);
    event->count = object->sem.value;
    if (object->sem.value == SEM_VALUE_MAX)
        return result_of(event, EOVERFLOW);
    set_value(task, object, object->sem.value + 1);
    return result_of(event, 0);
}

EXPORT int sem_getvalue(sem_t *sem, int *value) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.sem_getvalue(sem, value);
    struct object *object = sem_object(task, sem, CALLER);
    struct op op = {.kind = OP_SEM_GETVALUE, .object = (uint64_t)sem, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, object);
    event->count = object->sem.value;
    spin_read(task, &object->version, sizeof object->version);
    happened(event);
    int count = (int)event->result;
    access_for((uint64_t)value, sizeof *value, true, CALLER);
    *value = count;
    return 0;
}

/* --- named semaphores ------------------------------------------------------------------------- */

static const char named[] = "named semaphores are not controlled yet";

EXPORT sem_t *sem_open(const char *name, int flags, ...) {
    va_list list;
    if (rt.current != NULL)
        unsupported("sem_open", CALLER, named);
    va_start(list, flags);
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    unsigned value = flags & O_CREAT ? va_arg(list, unsigned) : 0;
    va_end(list);
    return real.sem_open(name, flags, mode, value);
}

EXPORT int sem_close(sem_t *sem) {
    if (rt.current != NULL)
        unsupported("sem_close", CALLER, named);
    return real.sem_close(sem);
}

EXPORT int sem_unlink(const char *name) {
    if (rt.current != NULL)
        unsupported("sem_unlink", CALLER, named);
    return real.sem_unlink(name);
}
