/* cond.c - condition variables: wait, timed and clock variants, signal, broadcast.
 *
 * A wait is COND_WAIT (release the mutex, fall asleep). Then the task stands at COND_WAKE, which
 * is enabled once the task was woken and the mutex is free, and which takes the mutex. A sleeper
 * that may leave by itself (by a time-out, or spuriously with --spurious-wakeups) stands at
 * COND_SLEEP meanwhile. A signal turns COND_SLEEP into COND_WAKE. If the sleeper is chosen
 * before that, it leaves by itself, and takes the mutex by an ordinary LOCK. A signal chooses
 * the sleeper that it wakes.
 *
 * To sleep and leave by oneself, with the mutex back, changes nothing. It counts as polling, so
 * a loop around it that sees nothing new is parked (spin.c), and the search ends.
 *
 * Cancellation acts on a sleeper that was not woken yet, after the sleeper has got the mutex
 * back. So a cancelled task takes no signal away from other tasks. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "engine/session.h"
#include "substrates/native/calls/deadline.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/sync/locks.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/sync/sleepers.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/thread_end.h"

/* A wait that is under way. */
struct wait {
    uint64_t cond;
    pthread_mutex_t *mutex;
    struct object *lock; /* the mutex */
    clockid_t clock;
    const struct timespec *deadline; /* borrowed; NULL: none */
    uint64_t pc;
};

static struct object *cond_object(struct task *task, pthread_cond_t *cond, uint64_t pc) {
    bool fresh;
    return object_at(task, cond, OBJECT_COND, pc, &fresh);
}

/* --- waiting ---------------------------------------------------------------------------------- */

static bool wake_ready(const struct task *task) {
    return task->woken && mutex_free_for(task->object, task);
}

static uint32_t wake_holder(const struct task *task, uint32_t nth) {
    return task->woken && nth == 0 ? task->object->owner : NO_TASK;
}

static const struct wait_ops wake_wait = {.ready = wake_ready, .holder = wake_holder};

/* POSIX leaves it undefined to wait with a mutex that the task does not hold (except an
 * error-checking one), and to use two mutexes with one condition variable at the same time. A
 * wait unlocks a recursive mutex only once. If the mutex was locked twice it stays locked, and
 * no other task can change the condition. */
static int check_mutex(struct task *task, const struct wait *wait) {
    uint32_t count;
    struct task **sleepers = sleepers_on(wait->cond, &count);
    if (wait->lock->owner != task->id) {
        if (mutex_checks_owner(wait->lock))
            return EPERM;
        found(task, FINDING_MISUSE, wait->cond, wait->pc,
              "wait on a condition variable with a mutex that the task does not hold");
    }
    if (wait->lock->mutex.count > 1)
        found(task, FINDING_MISUSE, wait->cond, wait->pc,
              "wait on a condition variable with a recursive mutex that is locked %u times: the "
              "wait unlocks it once",
              wait->lock->mutex.count);
    if (count > 0 && sleepers[0]->op.mutex != (uint64_t)wait->mutex)
        found(task, FINDING_MISUSE, wait->cond, wait->pc,
              "wait on a condition variable with another mutex than the tasks that wait already");
    return 0;
}

/* The stages of a wait are functions of their own, also for the compiler. Otherwise values that
 * the first stage leaves in registers would look like a change to spin.c. */
#define STAGE static __attribute__((noinline))

STAGE int release_mutex(struct task *task, struct wait *wait, struct object *object) {
    struct op op = {
        .kind = OP_COND_WAIT, .object = wait->cond, .mutex = (uint64_t)wait->mutex, .pc = wait->pc};
    struct event *event = perform(task, &op, NULL, object);
    int error = check_mutex(task, wait);
    if (error == 0) {
        event->error = (uint64_t)mutex_release(task, wait->lock);
    } else {
        event->flags |= EVENT_FAILED;
        event->error = (uint64_t)error;
    }
    happened(event);
    return error;
}

STAGE struct event *sleep_until_chosen(struct task *task, const struct wait *wait) {
    bool may_leave = wait->deadline != NULL || rt.session->request.options.spurious_wakeups;
    struct op op = {.kind = may_leave ? OP_COND_SLEEP : OP_COND_WAKE,
                    .object = wait->cond,
                    .mutex = (uint64_t)wait->mutex,
                    .timed = wait->deadline != NULL,
                    .pc = wait->pc};
    task->woken = false;
    task->cancel.at_point = true;
    struct event *event = perform(task, &op, may_leave ? NULL : &wake_wait, wait->lock);
    task->cancel.at_point = false;
    return event;
}

static int lock_again(struct task *task, const struct wait *wait) {
    return mutex_lock(task, wait->mutex, wait->clock, NULL, wait->pc);
}

/* Other tasks may have left a robust mutex in any state meanwhile. */
static int woken(struct task *task, struct event *event, const struct wait *wait) {
    int error = mutex_acquire(task, wait->lock);
    CHECK(error == 0 || mutex_is_robust(wait->lock));
    if (!mutex_taken(error))
        event->flags |= EVENT_FAILED;
    event->error = (uint64_t)error;
    happened(event);
    return error;
}

static _Noreturn void cancelled(struct task *task, struct event *event, const struct wait *wait) {
    event->op.kind = OP_COND_SLEEP; /* the task leaves, and does not take the mutex yet */
    event->flags |= EVENT_FAILED;
    happened(event);
    lock_again(task, wait);
    cancel_act(task);
}

static bool times_out(struct task *task, const struct wait *wait) {
    if (wait->deadline == NULL)
        return false;
    return !rt.session->request.options.spurious_wakeups || choose(task, CHOICE_TIMEOUT, 2) == 0;
}

STAGE int left_by_itself(struct task *task, struct event *event, const struct wait *wait) {
    int error = 0;
    if (times_out(task, wait)) {
        error = deadline_passed(task, wait->clock, wait->deadline);
        event->flags |= EVENT_TIMED_OUT;
    }
    event->error = (uint64_t)error;
    happened(event);
    int lock_error = lock_again(task, wait);
    return lock_error != 0 ? lock_error : error;
}

int cond_wait(struct task *task, pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
              const struct timespec *deadline, uint64_t pc) {
    if (deadline != NULL && !deadline_valid(deadline))
        return EINVAL;
    struct object *object = cond_object(task, cond, pc);
    struct wait wait = {.cond = (uint64_t)cond,
                        .mutex = mutex,
                        .lock = mutex_object(task, mutex, pc),
                        .clock = clock,
                        .deadline = deadline,
                        .pc = pc};
    uint64_t effects = task->effects;
    int error = release_mutex(task, &wait, object);
    if (error != 0)
        return error;
    task->effects = effects;
    struct event *event = sleep_until_chosen(task, &wait);
    if (task->woken)
        return woken(task, event, &wait);
    if (cancel_due(task))
        cancelled(task, event, &wait);
    error = left_by_itself(task, event, &wait);
    task->effects = effects;
    return error;
}

/* --- waking ----------------------------------------------------------------------------------- */

static void wake(struct task *sleeper) {
    sleeper->woken = true;
    sleeper->op.kind = OP_COND_WAKE;
    sleeper->wait = &wake_wait;
    sleeper->cancel.at_point = false; /* the signal belongs to the sleeper now */
}

static struct event *perform_wake(struct task *task, enum op_kind kind, pthread_cond_t *cond,
                                  uint64_t pc) {
    struct object *object = cond_object(task, cond, pc);
    struct op op = {.kind = kind, .object = (uint64_t)cond, .pc = pc};
    return perform(task, &op, NULL, object);
}

int cond_signal(struct task *task, pthread_cond_t *cond, uint64_t pc) {
    uint32_t count;
    struct event *event = perform_wake(task, OP_COND_SIGNAL, cond, pc);
    struct task **sleepers = sleepers_on((uint64_t)cond, &count);
    if (count > 0) {
        struct task *sleeper = sleepers[choose(task, CHOICE_WAKE, count)];
        wake(sleeper);
        event->woken = sleeper->id + 1;
        task->effects++;
    }
    happened(event);
    return 0;
}

int cond_broadcast(struct task *task, pthread_cond_t *cond, uint64_t pc) {
    uint32_t count;
    struct event *event = perform_wake(task, OP_COND_BROADCAST, cond, pc);
    struct task **sleepers = sleepers_on((uint64_t)cond, &count);
    for (uint32_t i = 0; i < count; i++)
        wake(sleepers[i]);
    event->woken = count;
    task->effects += count > 0;
    happened(event);
    return 0;
}

/* --- begin and end of its life ---------------------------------------------------------------- */

static void check_nobody_sleeps(struct task *task, uint64_t cond, const char *what, uint64_t pc) {
    uint32_t count;
    sleepers_on(cond, &count);
    if (count > 0)
        found(task, FINDING_MISUSE, cond, pc, "%s of a condition variable on which tasks wait",
              what);
}

int cond_init(struct task *task, pthread_cond_t *cond, const pthread_condattr_t *attributes,
              uint64_t pc) {
    struct op op = {.kind = OP_COND_INIT, .object = (uint64_t)cond, .pc = pc};
    struct event *event = perform(task, &op, NULL, NULL);
    check_nobody_sleeps(task, (uint64_t)cond, "init", pc);
    real.pthread_cond_init(cond, attributes);
    object_new(task, cond, OBJECT_COND, pc);
    happened(event);
    return 0;
}

int cond_destroy(struct task *task, pthread_cond_t *cond, uint64_t pc) {
    struct object *object = cond_object(task, cond, pc);
    struct op op = {.kind = OP_COND_DESTROY, .object = (uint64_t)cond, .pc = pc};
    struct event *event = perform(task, &op, NULL, object);
    check_nobody_sleeps(task, (uint64_t)cond, "destroy", pc);
    object->destroyed = true;
    task->effects++;
    happened(event);
    return 0;
}

/* --- what the program calls ------------------------------------------------------------------- */

EXPORT int pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes) {
    struct task *task = rt.current;
    return task == NULL ? real.pthread_cond_init(cond, attributes)
                        : cond_init(task, cond, attributes, CALLER);
}

EXPORT int pthread_cond_destroy(pthread_cond_t *cond) {
    struct task *task = rt.current;
    return task == NULL ? real.pthread_cond_destroy(cond) : cond_destroy(task, cond, CALLER);
}

EXPORT int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    struct task *task = rt.current;
    return task == NULL ? real.pthread_cond_wait(cond, mutex)
                        : cond_wait(task, cond, mutex, CLOCK_REALTIME, NULL, CALLER);
}

/* The clock of the attributes is where the C library keeps it: __wrefs, bit 1. */
static clockid_t clock_of(const pthread_cond_t *cond) {
    return cond->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                  const struct timespec *deadline) {
    struct task *task = rt.current;
    return task == NULL ? real.pthread_cond_timedwait(cond, mutex, deadline)
                        : cond_wait(task, cond, mutex, clock_of(cond), deadline, CALLER);
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                  const struct timespec *deadline) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_cond_clockwait(cond, mutex, clock, deadline);
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    return cond_wait(task, cond, mutex, clock, deadline, CALLER);
}

EXPORT int pthread_cond_signal(pthread_cond_t *cond) {
    struct task *task = rt.current;
    return task == NULL ? real.pthread_cond_signal(cond) : cond_signal(task, cond, CALLER);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *cond) {
    struct task *task = rt.current;
    return task == NULL ? real.pthread_cond_broadcast(cond) : cond_broadcast(task, cond, CALLER);
}
