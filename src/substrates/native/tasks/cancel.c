/* cancel.c - pthread_cancel and the points where it acts.
 *
 * A cancellation is noted in its target. It acts when the target is chosen at a cancellation
 * point: instead of the operation, even if the operation could go on. The event is a
 * cancellation point then. The asynchronous type acts at the next operation of any kind. A call
 * to the kernel that is a cancellation point, but otherwise no operation, is an operation in a
 * program that refers to pthread_cancel. */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/program/before_main.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/spin.h"
#include "substrates/native/tasks/thread.h"
#include "substrates/native/tasks/thread_end.h"

static bool cancels_anybody; /* some part of the program refers to pthread_cancel */

bool cancel_due(const struct task *task) {
    return task->cancel.pending && !task->cancel.disabled && !task->end.exiting;
}

_Noreturn void cancel_act(struct task *task) {
    thread_leave(task, PTHREAD_CANCELED);
}

struct event *perform_cancellable(struct task *task, const struct op *op,
                                  const struct wait_ops *wait, struct object *object) {
    task->cancel.at_point = true;
    struct event *event = perform(task, op, wait, object);
    task->cancel.at_point = false;
    if (!cancel_due(task))
        return event;
    event->op = (struct op){.kind = OP_CANCEL_POINT, .pc = op->pc};
    happened(event);
    cancel_act(task);
}

_Noreturn void cancel_instead(struct task *task) {
    task->op = (struct op){.kind = OP_CANCEL_POINT, .pc = task->op.pc};
    task->cancel.at_point = false;
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
    target->cancel.pending = true;
    task->effects++;
    happened(event);
    if (target == task && task->cancel.asynchronous)
        cancel_here(task);
    return 0;
}

static void test_cancel(struct task *task, uint64_t pc) {
    struct op op = {.kind = OP_CANCEL_POINT, .pc = pc};
    struct event *event = perform(task, &op, NULL, NULL);
    spin_read(task, &task->cancel.pending, sizeof task->cancel.pending);
    happened(event);
    cancel_here(task);
}

EXPORT void pthread_testcancel(void) {
    struct task *task = rt.current;
    if (task == NULL)
        real.pthread_testcancel();
    else
        test_cancel(task, CALLER);
}

/* If no part of the program could cancel the task, no task can tell that it was here. */
void cancel_point(struct task *task, uint64_t pc) {
    if (cancels_anybody && live_tasks.concurrent && !task->cancel.disabled && !task->end.exiting &&
        task->machine == NULL)
        test_cancel(task, pc);
    else
        cancel_here(task);
}

/* --- whether the program cancels any thread --- */

/* The names that a module wants from others stand in front of its own names, where the hash
 * table begins. */
static uint32_t wanted_count(const uint32_t *gnu_hash) {
    return gnu_hash[1];
}

static bool wants_cancel(const struct dl_phdr_info *info, const ElfW(Dyn) * dynamic) {
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    const uint32_t *hash = NULL;
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        bool relocated =
            dynamic->d_un.d_ptr >= info->dlpi_addr; /* the loader has already added the base */
        const void *at = (const void *)(dynamic->d_un.d_ptr + (relocated ? 0 : info->dlpi_addr));
        if (dynamic->d_tag == DT_SYMTAB)
            symbols = at;
        else if (dynamic->d_tag == DT_STRTAB)
            names = at;
        else if (dynamic->d_tag == DT_GNU_HASH)
            hash = at;
    }
    if (symbols == NULL || names == NULL || hash == NULL)
        return true; /* not known, so the answer is the safe one */
    for (uint32_t i = 0; i < wanted_count(hash); i++)
        if (strcmp(names + symbols[i].st_name, "pthread_cancel") == 0)
            return true;
    return false;
}

static int look_for_cancel(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    const char *name = info->dlpi_name;
    if (strstr(name, "/libstdc++.so") != NULL || strstr(name, "/libheddle") != NULL ||
        strstr(name, "linux-vdso") != NULL)
        return 0;
    for (int i = 0; i < info->dlpi_phnum && !cancels_anybody; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            cancels_anybody = wants_cancel(
                info, (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr));
    return cancels_anybody;
}

void cancel_prepare(void) {
    dl_iterate_phdr(look_for_cancel, NULL);
}

EXPORT int pthread_setcancelstate(int state, int *before) {
    struct task *task = rt.current;
    if (task == NULL) {
        early_cancel_state(state == PTHREAD_CANCEL_DISABLE);
        return real.pthread_setcancelstate(state, before);
    }
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (before != NULL)
        *before = task->cancel.disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    task->cancel.disabled = state == PTHREAD_CANCEL_DISABLE;
    if (task->cancel.asynchronous)
        cancel_here(task);
    return 0;
}

EXPORT int pthread_setcanceltype(int type, int *before) {
    struct task *task = rt.current;
    if (task == NULL) {
        early_cancel_type(type == PTHREAD_CANCEL_ASYNCHRONOUS);
        return real.pthread_setcanceltype(type, before);
    }
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    if (before != NULL)
        *before = task->cancel.asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    task->cancel.asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    if (task->cancel.asynchronous)
        cancel_here(task);
    return 0;
}
