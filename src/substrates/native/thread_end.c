/* thread_end.c - the end of a thread: by return, by pthread_exit, by cancellation.
 *
 * pthread_exit and cancellation leave the frames of the thread by forced unwinding, as the C library
 * does: the unwinder of libgcc walks the stack and runs C++ destructors and, in code compiled with
 * -fexceptions, the handlers of pthread_cleanup_push. Other C code registers its handlers as jump
 * buffers; when the walk comes to the frame that holds one, we jump there, the handler runs, and its
 * last act is to call us back (__pthread_unwind_next), which goes on with the walk. At the fiber's
 * bottom there is no unwind information any more: that is where the thread ends.
 *
 * The end itself is mostly no operation: it comes with the last one of the thread, since a join that waits
 * cannot tell the difference. A call that looks whether a thread has ended can (tryjoin, a timed join, a signal,
 * the use of a detached thread). The first such call makes the search begin again with options.thread_ends,
 * by which every thread stands before its end as before any other operation. In an execution that is repeated
 * (replay, minimising) the options of its trace say what the end is.
 *
 * Left out: _pthread_cleanup_push, the interface of the 1990s. */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE /* longjmp as it is */
#include "substrates/native/thread_end.h"

#include <pthread.h>
#include <setjmp.h>
#include <string.h>
#include <unwind.h>

#include "substrates/native/locks.h"
#include "substrates/native/process.h"
#include "substrates/native/real.h"

enum { JUMP_SP = 6, GUARD_ROTATE = 17 }; /* glibc on x86-64: the saved stack pointer, mangled */
enum { PAD_PREVIOUS, PAD_TYPE };         /* the words of a buffer that are ours */

/* --- leaving the frames --------------------------------------------------------------------- */

static uint64_t saved_sp(const __pthread_unwind_buf_t *handler) {
    uint64_t guard, mangled = (uint64_t)handler->__cancel_jmp_buf[0].__cancel_jmp_buf[JUMP_SP];
    __asm__("mov %%fs:0x30, %0" : "=r"(guard));
    return (mangled >> GUARD_ROTATE | mangled << (64 - GUARD_ROTATE)) ^ guard;
}

/* The buffer is the beginning of a jmp_buf: sigsetjmp(buffer, 0) does not write the rest. */
static _Noreturn void jump(__pthread_unwind_buf_t *handler) {
    struct __jmp_buf_tag *buffer = (struct __jmp_buf_tag *)handler;
    __asm__("" : "+r"(buffer)); /* or the compiler misses the rest */
    _longjmp(buffer, 1);
}

/* Called before each frame is left. The canonical frame address that it is shown is the stack pointer
 * of this frame after its call, so a frame holds a handler if that was saved below or at it. */
static _Unwind_Reason_Code leave_frame(int version, _Unwind_Action actions,
                                       _Unwind_Exception_Class class,
                                       struct _Unwind_Exception *exception,
                                       struct _Unwind_Context *context, void *argument) {
    struct task *task = argument;
    __pthread_unwind_buf_t *handler = task->cleanup;
    bool bottom = (actions & _UA_END_OF_STACK) != 0;
    (void)version, (void)class, (void)exception;
    if (handler != NULL && (bottom || _Unwind_GetCFA(context) >= saved_sp(handler))) {
        task->cleanup = handler->__pad[PAD_PREVIOUS];
        jump(handler);
    }
    if (bottom)
        thread_finish(task, task->result);
    return _URC_NO_REASON;
}

/* The program has a catch (...) that does not throw on. */
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
    task->exiting = true;
    task->result = result;
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
    handler->__pad[PAD_PREVIOUS] = task->cleanup;
    task->cleanup = handler;
}

EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t *handler) {
    struct task *task = rt.current;
    if (task == NULL)
        real.__pthread_unregister_cancel(handler);
    else
        task->cleanup = handler->__pad[PAD_PREVIOUS];
}

/* The two of pthread_cleanup_push_defer_np: cancellation is deferred in between. */
EXPORT void __pthread_register_cancel_defer(__pthread_unwind_buf_t *handler) {
    struct task *task = rt.current;
    if (task == NULL) {
        real.__pthread_register_cancel_defer(handler);
        return;
    }
    __pthread_register_cancel(handler);
    handler->__pad[PAD_TYPE] = task->cancel_asynchronous ? handler : NULL;
    task->cancel_asynchronous = false;
}

EXPORT void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *handler) {
    struct task *task = rt.current;
    if (task == NULL) {
        real.__pthread_unregister_cancel_restore(handler);
        return;
    }
    __pthread_unregister_cancel(handler);
    task->cancel_asynchronous = handler->__pad[PAD_TYPE] != NULL;
    if (task->cancel_asynchronous)
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
    default: return "a mutex";
    }
}

/* There is no call of the program that ends it: the place is the thread's function. */
static uint64_t end_pc(const struct task *task) {
    uint64_t entry = task->entry != NULL ? (uint64_t)task->entry : (uint64_t)task->entry_c11;
    return entry != 0 ? entry + 1 : task->op.pc;
}

/* Locks that it still holds: a robust mutex goes to the next one that locks it, any other is lost. */
static void leave_locks(struct task *task) {
    struct object *object;
    uint64_t rank = RANK_ANY;
    while (task->locks_held && (object = object_held_by(task, rank)) != NULL) {
        rank = object->sequence; /* another task may take a robust one as soon as it is left */
        if (mutex_is_robust(object))
            mutex_abandon(task, object, end_pc(task));
        else
            found_on_the_way(task, FINDING_LEAKED_LOCK, object->address, task->op.pc,
                             "the thread ends holding %s", held_as(object, task));
    }
    atomic_function_abandoned(task);
    if (task->atomic_depth > 0)
        found(task, FINDING_MISUSE, 0, task->op.pc, "the thread ends inside an atomic section");
}

static bool searches(void) {
    const struct options *options = &rt.session->options;
    return options->mode == MODE_EXPLORE || options->mode == MODE_CORPUS;
}

void thread_ends_matter(void) {
    const struct options *options = &rt.session->options;
    if (searches() && !options->thread_ends && !options->last_end)
        begin_search_again(LACKS_THREAD_ENDS);
}

/* Main ends and leaves the process to the others: the last thread runs the handlers of exit, which can tell which
 * one it is. */
static void last_end_matters(const struct task *task) {
    if (task->id == 0 && rt.session->threads_seen && rt.exit_handlers.own > 0 && searches() &&
        !rt.session->options.last_end)
        begin_search_again(LACKS_LAST_END);
}

/* The end as a step of its own. If the last one matters, all ends share an object. */
static void perform_end(struct task *task) {
    struct op op = {.kind = OP_END, .target = task->id, .pc = end_pc(task)};
    if (rt.session->options.last_end)
        op.object = (uint64_t)&rt.exit_handlers;
    happened(perform(task, &op, NULL, NULL));
}

_Noreturn void thread_finish(struct task *task, void *result) {
    task->exiting = true;
    task->result = result;
    thread_local_destructors(task);
    thread_key_destructors(task);
    leave_locks(task);
    last_end_matters(task);
    const struct options *options = &rt.session->options;
    if (options->last_end)
        perform_end(task);
    if (options->last_end ? rt.live_count == 1 : task_is_last(task))
        process_exit_last(task);
    if (options->thread_ends && !options->last_end)
        perform_end(task);
    task_end(task);
}
