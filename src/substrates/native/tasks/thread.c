/* thread.c - pthread_create, join, detach. The C library's pthread_self works as it is, because
 * the FS base is the task's own. */
#define _GNU_SOURCE
#include "substrates/native/tasks/thread.h"

#include <errno.h>
#include <pthread.h>

#include "execution/finding.h"
#include "substrates/native/calls/deadline.h"
#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/program/control.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/spin.h"
#include "substrates/native/tasks/thread_end.h"
#include "substrates/native/tasks/traits.h"

/* A new name costs a real thread the first time. Starting it is our own business, not the
 * program's. */
static struct task *make_task(struct task *parent, uint64_t entry, uint64_t pc) {
    rt.current = NULL;
    struct task *child = task_create(parent, entry, pc);
    rt.current = parent;
    if (child == NULL)
        unsupported("pthread_create", pc, "more threads than --max-tasks allows");
    return child;
}

static uint64_t early_thread; /* where a thread was started before main; 0: nowhere */

void threads_refuse_early(void) {
    if (early_thread != 0)
        unsupported("pthread_create", early_thread, "a thread that is started before main");
}

/* The C++ library uses this flag to choose between atomic and plain reference counts. The C
 * library keeps the flag by its own threads, which we park. So the flag says from the beginning
 * that there are threads, however the program is run. No execution changes the flag, since its
 * page would then have to be put back. */
extern char __libc_single_threaded __attribute__((weak));

void threads_expected(void) {
    if (&__libc_single_threaded != NULL)
        __libc_single_threaded = false;
}

struct task *thread_start(struct task *parent, void *(*entry)(void *), int (*entry_c11)(void *),
                          void *argument, uint64_t pc) {
    struct op op = {.kind = OP_CREATE, .target = NO_TASK, .pc = pc};
    struct event *event = perform(parent, &op, NULL, NULL);
    struct task *child = make_task(parent, entry ? (uint64_t)entry : (uint64_t)entry_c11, pc);
    child->thread.entry = entry;
    child->thread.entry_c11 = entry_c11;
    child->thread.argument = argument;
    child->clock.ns = parent->clock.ns;
    traits_inherit(child, parent);
    parent->effects++;
    event->op.target = child->id;
    event->child = child->id;
    happened(event);
    return child;
}

/* Notes a stack that is not as its attributes say. Without pthread_attr_setstack() the address
 * and the size add up to 0. */
static void note_stack(const pthread_attr_t *attributes, uint64_t pc) {
    void *low = NULL;
    size_t size = 0;
    pthread_attr_getstack(attributes, &low, &size);
    if (size > SLOT_STACK)
        noted("pthread_create", "a stack has 8 MiB, whatever its attributes ask for", pc);
    if ((uint64_t)low + size != 0)
        noted("pthread_attr_setstack", "a stack of Heddle's is used, not the given memory", pc);
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*entry)(void *), void *argument) {
    struct task *parent = rt.current;
    if (parent == NULL) {
        if (!control.taken)
            early_thread = CALLER;
        return real.pthread_create(thread, attributes, entry, argument);
    }
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attributes != NULL) {
        pthread_attr_getdetachstate(attributes, &detached);
        note_stack(attributes, CALLER);
    }
    access_for((uint64_t)thread, sizeof *thread, true, CALLER); /* before the thread begins */
    struct task *child = thread_start(parent, entry, NULL, argument, CALLER);
    child->thread.detached = detached == PTHREAD_CREATE_DETACHED;
    *thread = child->fiber.fs_base;
    return 0;
}

static struct task *joinable(struct task *task, uint64_t thread, const char *call, uint64_t pc) {
    struct task *target = task_of_thread(thread);
    if (target == NULL)
        found(task, FINDING_MISUSE, 0, pc, "%s of a handle that is no thread", call);
    if (target->thread.detached || target->thread.joined)
        found(task, FINDING_MISUSE, 0, pc, "%s of a thread that was %s", call,
              target->thread.detached ? "detached" : "joined already");
    return target;
}

struct task *thread_named(struct task *task, uint64_t thread, const char *call, uint64_t pc) {
    struct task *target = task_of_thread(thread);
    if (target == NULL)
        found(task, FINDING_MISUSE, 0, pc, "%s of a handle that is no thread", call);
    if (target->thread.detached)
        thread_ends_matter();
    if (target->thread.joined || (target->thread.detached && target->state == TASK_ENDED))
        found(task, FINDING_MISUSE, 0, pc, "%s of a thread that %s", call,
              target->thread.joined ? "was joined" : "was detached and has ended");
    return target;
}

static struct task *target_of(const struct task *task) {
    return task_at(task->op.target);
}

static bool join_ready(const struct task *task) {
    return target_of(task)->state == TASK_ENDED || task->op.timed;
}

static uint32_t join_holder(const struct task *task, uint32_t nth) {
    return nth == 0 ? task->op.target : NO_TASK;
}

static const struct wait_ops join_wait = {.ready = join_ready, .holder = join_holder};

/* The task has seen the end of `target`. */
static void take_end(struct task *task, struct task *target) {
    target->thread.joined = true;
    task->effects++;
    if (target->clock.ns > task->clock.ns)
        task->clock.ns = target->clock.ns;
}

int thread_join(struct task *task, uint64_t thread, const struct join_call *call,
                struct task **joined) {
    struct task *target = joinable(task, thread, "join", call->pc);
    bool timed = call->deadline != NULL;
    if (target == task)
        return EDEADLK;
    if (timed)
        thread_ends_matter();
    struct op op = {.kind = OP_JOIN, .target = target->id, .timed = timed, .pc = call->pc};
    struct event *event = perform_cancellable(task, &op, &join_wait, NULL);
    joinable(task, thread, "join", call->pc);
    if (target->state != TASK_ENDED) {
        event->flags |= EVENT_FAILED | EVENT_TIMED_OUT;
        happened(event);
        return deadline_passed(task, call->clock, call->deadline);
    }
    take_end(task, target);
    *joined = target;
    happened(event);
    return 0;
}

static void hand_over(const struct task *joined, void **result, uint64_t pc) {
    if (result == NULL)
        return;
    access_for((uint64_t)result, sizeof *result, true, pc);
    *result = joined->thread.result;
}

static int join_and_take(struct task *task, pthread_t thread, void **result,
                         const struct join_call *call) {
    struct task *joined;
    int error = thread_join(task, thread, call, &joined);
    if (error == 0)
        hand_over(joined, result, call->pc);
    return error;
}

EXPORT int pthread_join(pthread_t thread, void **result) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_join(thread, result);
    struct join_call call = {.pc = CALLER};
    return join_and_take(task, thread, result, &call);
}

EXPORT int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *deadline) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_timedjoin_np(thread, result, deadline);
    struct join_call call = {CLOCK_REALTIME, deadline, CALLER};
    return join_and_take(task, thread, result, &call);
}

EXPORT int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
                                const struct timespec *deadline) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_clockjoin_np(thread, result, clock, deadline);
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    struct join_call call = {clock, deadline, CALLER};
    return join_and_take(task, thread, result, &call);
}

EXPORT int pthread_tryjoin_np(pthread_t thread, void **result) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_tryjoin_np(thread, result);
    struct task *target = joinable(task, thread, "tryjoin", CALLER);
    thread_ends_matter();
    struct op op = {.kind = OP_TRYJOIN, .target = target->id, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, NULL);
    joinable(task, thread, "tryjoin", CALLER);
    if (target->state != TASK_ENDED) {
        event->flags |= EVENT_FAILED;
        spin_read(task, &target->state, sizeof target->state);
        happened(event);
        return EBUSY;
    }
    take_end(task, target);
    happened(event);
    hand_over(target, result, CALLER);
    return 0;
}

void thread_detach(struct task *task, uint64_t thread, uint64_t pc) {
    struct task *target = joinable(task, thread, "detach", pc);
    struct op op = {.kind = OP_DETACH, .target = target->id, .pc = pc};
    struct event *event = perform(task, &op, NULL, NULL);
    joinable(task, thread, "detach", pc); /* again: another task may have been faster */
    target->thread.detached = true;
    task->effects++;
    happened(event);
}

EXPORT int pthread_detach(pthread_t thread) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.pthread_detach(thread);
    thread_detach(task, thread, CALLER);
    return 0;
}
