/* thread_end.c - the end of a thread: by return, by pthread_exit, by cancellation.
 *
 * pthread_exit and cancellation leave the frames of the thread by forced unwinding, as the C
 * library does. The unwinder of libgcc walks the stack and runs C++ destructors and, in code
 * compiled with -fexceptions, the handlers of pthread_cleanup_push. Other C code registers its
 * handlers as jump buffers. When the walk comes to the frame that holds such a buffer, we jump
 * there and the handler runs. Its last act is to call us back (__pthread_unwind_next), and the
 * walk goes on. At the bottom of the fiber the unwind information ends, and so does the thread.
 *
 * The end itself is mostly no operation: it belongs to the last operation of the thread, since a
 * join that waits cannot tell the difference. A call that looks whether a thread has ended can
 * tell (tryjoin, a timed join, a signal, the use of a detached thread). The first such call
 * makes the search begin again with options.thread_ends. Then every thread stands before its end
 * as before any other operation. If an execution is repeated (replay, minimising), the options
 * of its trace decide.
 *
 * Left out: _pthread_cleanup_push, the interface of the 1990s. */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE /* longjmp without checks */
#include "substrates/native/tasks/thread_end.h"

#include <pthread.h>
#include <setjmp.h>
#include <string.h>
#include <unwind.h>

#include "engine/session.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/scratch.h"
#include "substrates/native/program/process.h"
#include "substrates/native/sync/locks.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/tasks/begin_again.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/section.h"

enum {
    JUMP_SP = 6,
    GUARD_ROTATE = 17
}; /* glibc on x86-64: the place of the stack pointer in a jump buffer, and how it is disguised */
enum { PAD_PREVIOUS, PAD_TYPE }; /* the words of a buffer that we use */

/* --- leaving the frames --------------------------------------------------------------------- */

static uint64_t saved_sp(const __pthread_unwind_buf_t *handler) {
    uint64_t guard, mangled = (uint64_t)handler->__cancel_jmp_buf[0].__cancel_jmp_buf[JUMP_SP];
    __asm__("mov %%fs:0x30, %0" : "=r"(guard));
    return (mangled >> GUARD_ROTATE | mangled << (64 - GUARD_ROTATE)) ^ guard;
}

/* The buffer is only the beginning of a jmp_buf: sigsetjmp(buffer, 0) does not write the rest. */
static _Noreturn void jump(__pthread_unwind_buf_t *handler) {
    struct __jmp_buf_tag *buffer = (struct __jmp_buf_tag *)handler;
    __asm__("" : "+r"(buffer)); /* otherwise the compiler complains about the rest */
    _longjmp(buffer, 1);
}

/* Called before each frame is left. The canonical frame address is the stack pointer of this
 * frame after its call returns. So a frame holds a handler if the handler's stack pointer is not
 * above that address. */
static _Unwind_Reason_Code leave_frame(int version, _Unwind_Action actions,
                                       _Unwind_Exception_Class class,
                                       struct _Unwind_Exception *exception,
                                       struct _Unwind_Context *context, void *argument) {
    struct task *task = argument;
    __pthread_unwind_buf_t *handler = task->end.cleanup;
    bool bottom = (actions & _UA_END_OF_STACK) != 0;
    (void)version, (void)class, (void)exception;
    if (handler != NULL && (bottom || _Unwind_GetCFA(context) >= saved_sp(handler))) {
        task->end.cleanup = handler->__pad[PAD_PREVIOUS];
        jump(handler);
    }
    if (bottom)
        thread_finish(task, task->thread.result);
    return _URC_NO_REASON;
}

/* The program has a catch (...) that does not throw again. */
static void swallowed(_Unwind_Reason_Code reason, struct _Unwind_Exception *exception) {
    struct task *task = rt.current;
    (void)reason, (void)exception;
    if (task != NULL)
        found(task, FINDING_ASSERTION, 0, task->op.pc,
              "the exception of pthread_exit or pthread_cancel was caught and not rethrown");
}

static _Unwind_Reason_Code no_frame(struct _Unwind_Context *context, void *argument) {
    (void)context, (void)argument;
    return _URC_END_OF_STACK;
}

void unwinder_prepare(void) {
    _Unwind_Backtrace(no_frame, NULL);
}

static _Noreturn void unwind(struct task *task) {
    struct _Unwind_Exception *exception = scratch_alloc(sizeof *exception);
    exception->exception_cleanup = swallowed;
    _Unwind_ForcedUnwind(exception, leave_frame, task);
    unsupported("pthread_exit", task->op.pc, "the stack of this thread cannot be unwound");
}

_Noreturn void thread_leave(struct task *task, void *result) {
    task->end.exiting = true;
    task->thread.result = result;
    unwind(task);
}

EXPORT void pthread_exit(void *result) {
    struct task *task = rt.current;
    if (task == NULL)
        real.pthread_exit(result);
    thread_leave(task, result);
}

/* --- handlers of pthread_cleanup_push in C -------------------------------------------------- */

EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t *handler) {
    struct task *task = rt.current;
    if (task == NULL) {
        real.__pthread_register_cancel(handler);
        return;
    }
    handler->__pad[PAD_PREVIOUS] = task->end.cleanup;
    task->end.cleanup = handler;
}

EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t *handler) {
    struct task *task = rt.current;
    if (task == NULL)
        real.__pthread_unregister_cancel(handler);
    else
        task->end.cleanup = handler->__pad[PAD_PREVIOUS];
}

/* These two belong to pthread_cleanup_push_defer_np: cancellation is deferred in between. */
EXPORT void __pthread_register_cancel_defer(__pthread_unwind_buf_t *handler) {
    struct task *task = rt.current;
    if (task == NULL) {
        real.__pthread_register_cancel_defer(handler);
        return;
    }
    __pthread_register_cancel(handler);
    handler->__pad[PAD_TYPE] = task->cancel.asynchronous ? handler : NULL;
    task->cancel.asynchronous = false;
}

EXPORT void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *handler) {
    struct task *task = rt.current;
    if (task == NULL) {
        real.__pthread_unregister_cancel_restore(handler);
        return;
    }
    __pthread_unregister_cancel(handler);
    task->cancel.asynchronous = handler->__pad[PAD_TYPE] != NULL;
    if (task->cancel.asynchronous)
        cancel_here(task);
}

EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t *handler) {
    struct task *task = rt.current;
    if (task == NULL)
        real.__pthread_unwind_next(handler);
    unwind(task);
}

/* --- the end -------------------------------------------------------------------------------- */

static const char *held_as(const struct object *object, const struct task *task) {
    switch (object->type) {
    case OBJECT_RWLOCK: return object->owner == task->id ? "a write lock" : "a read lock";
    case OBJECT_SPIN: return "a spin lock";
    case OBJECT_MUTEX: return "a mutex";
    case OBJECT_COND:
    case OBJECT_BARRIER:
    case OBJECT_SEM:
    case OBJECT_ONCE:
    case OBJECT_MAILBOX: break;
    }
    return NULL; /* nobody holds such an object */
}

/* No call of the program ends the thread, so the place is the thread's function. */
static uint64_t end_pc(const struct task *task) {
    uint64_t entry = task->thread.entry != NULL ? (uint64_t)task->thread.entry
                                                : (uint64_t)task->thread.entry_c11;
    return entry != 0 ? entry + 1 : task->op.pc;
}

/* Locks that the thread still holds. A robust mutex goes to the next task that locks it; any
 * other lock is lost. */
static void leave_locks(struct task *task) {
    struct object *object;
    uint64_t rank = RANK_ANY;
    while (task->locks_held && (object = object_held_by(task, rank)) != NULL) {
        rank = object_rank(object); /* now: another task may take a robust mutex once it is left */
        if (mutex_is_robust(object))
            mutex_abandon(task, object, end_pc(task));
        else
            found_on_the_way(task, FINDING_LEAKED_LOCK, object->address, task->op.pc,
                             "the thread ends holding %s", held_as(object, task));
    }
    atomic_function_abandoned(task);
    if (task->section.depth > 0)
        found(task, FINDING_MISUSE, 0, task->op.pc, "the thread ends inside an atomic section");
}

static bool searches(void) {
    const struct options *options = &rt.session->request.options;
    return options->mode == MODE_EXPLORE || options->mode == MODE_CORPUS;
}

void thread_ends_matter(void) {
    const struct options *options = &rt.session->request.options;
    if (searches() && !options->thread_ends && !options->last_end)
        begin_search_again(LACKS_THREAD_ENDS);
}

/* Main ends and leaves the process to the other threads. The last thread runs the handlers of
 * exit, and the handlers can tell which thread this is. */
static void last_end_matters(const struct task *task) {
    if (task->id == 0 && rt.session->result.observed.threads && exit_handlers.own > 0 &&
        searches() && !rt.session->request.options.last_end)
        begin_search_again(LACKS_LAST_END);
}

/* The end as a step of its own. If the last end matters, all ends share an object. */
static void perform_end(struct task *task) {
    struct op op = {.kind = OP_END, .target = task->id, .pc = end_pc(task)};
    if (rt.session->request.options.last_end)
        op.object = (uint64_t)&exit_handlers;
    happened(perform(task, &op, NULL, NULL));
}

_Noreturn void thread_finish(struct task *task, void *result) {
    task->end.exiting = true;
    task->thread.result = result;
    thread_local_destructors(task);
    thread_key_destructors(task);
    leave_locks(task);
    last_end_matters(task);
    const struct options *options = &rt.session->request.options;
    if (options->last_end)
        perform_end(task);
    if (options->last_end ? live_tasks.count == 1 : task_is_last(task))
        process_exit_last(task);
    if (options->thread_ends && !options->last_end)
        perform_end(task);
    task_end(task);
}
