/* thread_end.h - how a thread ends: return, pthread_exit, cancellation; and what runs then. */
#ifndef NATIVE_THREAD_END_H
#define NATIVE_THREAD_END_H

#include "substrates/native/runtime.h"

/* --- ends (thread_end.c) --- */

/* The thread's function has returned, or was left: destructors, then the end. */
_Noreturn void thread_finish(struct task *task, void *result);

/* Leaves all frames of the thread from where it stands: cleanup handlers and C++ destructors run on
 * the way, then thread_finish. */
_Noreturn void thread_leave(struct task *task, void *result);

/* The program looks whether some thread has ended: from the start of the search on, the end of a thread must
 * have been an operation. Does not return if it was none and the search can begin again. */
void thread_ends_matter(void);

/* Lets the unwinder do what it does once only, before memory is saved. */
void unwinder_prepare(void);

/* --- cancellation (cancel.c) --- */

/* As perform(), at a cancellation point: a pending pthread_cancel acts here instead. */
struct event *perform_cancellable(struct task *task, const struct op *op,
                                  const struct wait_ops *wait, struct object *object);

/* True if a pending cancellation would act now. */
bool cancel_due(const struct task *task);

/* Acts on it: runs the cleanup handlers, and ends the thread. */
_Noreturn void cancel_act(struct task *task);

/* The task was chosen with an asynchronous cancellation due: that happens, not its operation. */
_Noreturn void cancel_instead(struct task *task);

/* A call that is a cancellation point but no operation. */
static inline void cancel_here(struct task *task) {
    if (task->cancel_pending && cancel_due(task))
        cancel_act(task);
}

/* Likewise, and an operation if some part of the program could cancel the task. */
void cancel_point(struct task *task, uint64_t pc);

/* Before main: looks whether any part of the program refers to pthread_cancel. */
void cancel_prepare(void);

/* --- what the thread owns (thread_data.c) --- */

void thread_local_destructors(struct task *task); /* of C++; exit() runs those of its caller, too */
void thread_key_destructors(struct task *task);

#endif
