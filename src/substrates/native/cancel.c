/* cancel.c - pthread_cancel and the points where it acts.
 *
 * A cancellation is remembered in its target and acts when the target is chosen at a cancellation
 * point: instead of its operation, even if that could go on. The event then is a cancellation point.
 * The asynchronous type acts at the next operation of any kind. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "substrates/native/real.h"
#include "substrates/native/thread.h"
#include "substrates/native/thread_end.h"

bool cancel_due(const struct task *task) {
    return task->cancel_pending && !task->cancel_disabled && !task->exiting;
}

_Noreturn void cancel_act(struct task *task) {
    thread_leave(task, PTHREAD_CANCELED);
}

struct event *perform_cancellable(struct task *task, const struct op *op,
                                  const struct wait_ops *wait, struct object *object) {
    task->at_cancel_point = true;
    struct event *event = perform(task, op, wait, object);
    task->at_cancel_point = false;
    if (!cancel_due(task))
        return event;
    event->op = (struct op){.kind = OP_CANCEL_POINT, .pc = op->pc};
    happened(event);
    cancel_act(task);
}

_Noreturn void cancel_instead(struct task *task) {
    task->op = (struct op){.kind = OP_CANCEL_POINT, .pc = task->op.pc};
    task->at_cancel_point = false;
    happened(begin_event(task));
    cancel_act(task);
}

EXPORT int pthread_cancel(pthread_t thread) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_cancel(thread);
    struct task *target = thread_named(task, thread, "cancel", CALLER);
    struct op op = {.kind = OP_CANCEL, .target = target->id, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, NULL);
    thread_named(task, thread, "cancel", CALLER);
    target->cancel_pending = true;
    task->effects++;
    happened(event);
    if (target == task && task->cancel_asynchronous)
        cancel_here(task);
    return 0;
}

EXPORT void pthread_testcancel(void) {
    struct task *task = rt.current;
    if (task == NULL) {
        real.pthread_testcancel();
        return;
    }
    struct op op = {.kind = OP_CANCEL_POINT, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, NULL);
    spin_read(task, &task->cancel_pending, sizeof task->cancel_pending);
    happened(event);
    cancel_here(task);
}

EXPORT int pthread_setcancelstate(int state, int *before) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_setcancelstate(state, before);
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (before != NULL)
        *before = task->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    task->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
    if (task->cancel_asynchronous)
        cancel_here(task);
    return 0;
}

EXPORT int pthread_setcanceltype(int type, int *before) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_setcanceltype(type, before);
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    if (before != NULL)
        *before = task->cancel_asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    task->cancel_asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    if (task->cancel_asynchronous)
        cancel_here(task);
    return 0;
}
