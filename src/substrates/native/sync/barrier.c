/* barrier.c - barriers. Arriving is one operation. All tasks of a round but the last to arrive
 * then stand at a second operation, leaving, until the last has come. The last task never waits,
 * and is the serial thread.
 *
 * A task may destroy a barrier as soon as its own wait has returned. The destroy waits until the
 * other tasks of that round have left, as in the C library. Destroying a barrier while a round
 * is open is misuse. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "execution/finding.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/sync/sleepers.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"

/* Where the C library keeps the size of a barrier that was initialised before main. */
struct library_barrier {
    unsigned in, round, size;
};

static struct object *barrier_object(struct task *task, pthread_barrier_t *barrier, uint64_t pc) {
    bool fresh;
    struct object *object = object_at(task, barrier, OBJECT_BARRIER, pc, &fresh);
    if (fresh)
        object->barrier.size = ((const struct library_barrier *)barrier)->size;
    if (object->barrier.size == 0)
        found(task, FINDING_MISUSE, (uint64_t)barrier, pc,
              "use of a barrier without pthread_barrier_init");
    return object;
}

static bool leave_ready(const struct task *task) {
    return task->woken;
}

static bool destroy_ready(const struct task *task) {
    return task->object->barrier.leaving == 0 || task->object->barrier.arrived > 0;
}

static const struct wait_ops leave_wait = {.ready = leave_ready};
static const struct wait_ops destroy_wait = {.ready = destroy_ready};

/* --- the operations --------------------------------------------------------------------------- */

static void end_round(struct object *object) {
    uint32_t count;
    struct task **sleepers = sleepers_on(object->address, &count);
    for (uint32_t i = 0; i < count; i++)
        sleepers[i]->woken = true;
    object->barrier.leaving += count;
    object->barrier.arrived = 0;
    object->barrier.round++;
}

/* Returns true for the last task of the round. */
static bool arrive(struct task *task, struct object *object, uint64_t pc) {
    struct op op = {.kind = OP_BARRIER_ARRIVE, .object = object->address, .pc = pc};
    struct event *event = perform(task, &op, NULL, object);
    event->op.round = object->barrier.round;
    bool last = ++object->barrier.arrived == object->barrier.size;
    if (last)
        end_round(object);
    event->last = last;
    task->effects++;
    happened(event);
    return last;
}

static void leave(struct task *task, struct object *object, uint64_t round, uint64_t pc) {
    struct op op = {.kind = OP_BARRIER_LEAVE, .object = object->address, .round = round, .pc = pc};
    task->woken = false;
    struct event *event = perform(task, &op, &leave_wait, object);
    object->barrier.leaving--;
    task->effects++;
    happened(event);
}

static void check_round_closed(struct task *task, const struct object *object, const char *what,
                               uint64_t pc) {
    if (object->barrier.arrived > 0)
        found(task, FINDING_MISUSE, object->address, pc, "%s of a barrier at which tasks wait",
              what);
}

/* --- what the program calls ------------------------------------------------------------------- */

EXPORT int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                                unsigned count) {
    struct task *task = rt.current;
    uint32_t waiting;
    if (task == NULL)
        return real.pthread_barrier_init(barrier, attributes, count);
    if (count == 0)
        return EINVAL;
    struct op op = {.kind = OP_BARRIER_INIT, .object = (uint64_t)barrier, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, NULL);
    sleepers_on((uint64_t)barrier, &waiting);
    if (waiting > 0)
        found(task, FINDING_MISUSE, (uint64_t)barrier, CALLER,
              "init of a barrier at which tasks wait");
    object_new(task, barrier, OBJECT_BARRIER, CALLER)->barrier.size = count;
    happened(event);
    return 0;
}

EXPORT int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_barrier_destroy(barrier);
    struct object *object = barrier_object(task, barrier, CALLER);
    struct op op = {.kind = OP_BARRIER_DESTROY, .object = (uint64_t)barrier, .pc = CALLER};
    struct event *event = perform(task, &op, &destroy_wait, object);
    check_round_closed(task, object, "destroy", CALLER);
    object->destroyed = true;
    task->effects++;
    happened(event);
    return 0;
}

EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_barrier_wait(barrier);
    struct object *object = barrier_object(task, barrier, CALLER);
    if (arrive(task, object, CALLER))
        return PTHREAD_BARRIER_SERIAL_THREAD;
    leave(task, object, object->barrier.round, CALLER);
    return 0;
}
