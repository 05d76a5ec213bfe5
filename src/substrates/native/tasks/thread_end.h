/* thread_end.h - how a thread ends: by return, by pthread_exit, by cancellation; and which handlers
 * and destructors run at its end. */
#ifndef NATIVE_THREAD_END_H
#define NATIVE_THREAD_END_H

#include "substrates/native/tasks/task.h"

struct event;
struct fingerprint;
struct object;
struct wait_ops;

/* --- ends (thread_end.c) --- */

/* Runs the destructors of the thread, and ends the thread. Called when its function has returned,
 * or when all of its frames were left (thread_leave). */
_Noreturn void thread_finish(struct task *task, void *result);

/* Leaves all frames of the thread. Cleanup handlers and C++ destructors run on the way, then
 * thread_finish. */
_Noreturn void thread_leave(struct task *task, void *result);

/* Called when the program looks whether a thread has ended. Then ends of threads must be
 * operations, from the first execution on. If they are none, the search begins again
 * (begin_again.h), and the function does not return. */
void thread_ends_matter(void);

/* Lets the unwinder initialise itself. Must be called before the memory of the program is saved, so
 * that no execution changes the unwinder's data. */
void unwinder_prepare(void);

/* --- cancellation (cancel.c) --- */

/* perform() for a call that is a cancellation point: a pending pthread_cancel acts instead of the
 * operation. */
struct event *perform_cancellable(struct task *task, const struct op *op,
                                  const struct wait_ops *wait, struct object *object);

/* Returns true if a cancellation of the task is pending and would act now. */
bool cancel_due(const struct task *task);

/* Acts on a cancellation: runs the cleanup handlers, and ends the thread. */
_Noreturn void cancel_act(struct task *task);

/* Called if the task is chosen while an asynchronous cancellation is due: the cancellation happens
 * instead of the operation. */
_Noreturn void cancel_instead(struct task *task);

/* Acts on a pending cancellation. For calls that are cancellation points but no operations. */
static inline void cancel_here(struct task *task) {
    if (task->cancel.pending && cancel_due(task))
        cancel_act(task);
}

/* The same, but as an operation if there may be other tasks and the program refers to
 * pthread_cancel. */
void cancel_point(struct task *task, uint64_t pc);

/* Before main: looks whether the program, or a library of it, refers to pthread_cancel. */
void cancel_prepare(void);

/* --- what the thread owns (thread_data.c) --- */

/* Runs the destructors of the thread's C++ thread_local objects. exit() also calls this, for the
 * calling thread. */
void thread_local_destructors(struct task *task);
/* Runs the destructors of the thread's values of pthread_key_create keys. */
void thread_key_destructors(struct task *task);

void keys_fingerprint(struct fingerprint *out);
void thread_data_fingerprint(const struct task *task, struct fingerprint *out);

#endif
