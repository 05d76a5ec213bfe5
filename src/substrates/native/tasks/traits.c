/* traits.c - names, attributes, priorities and processors of threads.
 *
 * None of them decides which task may move. Priorities and processors are accepted and have no
 * effect, which the ledger says. The C library's getters that ask the kernel about a task's
 * parked thread are right as they are. */
#define _GNU_SOURCE
#include "substrates/native/tasks/traits.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "substrates/native/calls/real.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/memory/scratch.h"
#include "substrates/native/native.h"
#include "substrates/native/tasks/outcome.h"

static char first_name[16]; /* the name of the first thread when main begins */

void traits_find_name(void) {
    native_syscall(SYS_prctl, PR_GET_NAME, first_name);
}

void traits_inherit(struct task *child, const struct task *parent) {
    if (parent->traits == NULL)
        return;
    struct traits *traits = traits_of(child);
    *traits = *parent->traits;
    memset(traits->pending, 0, sizeof traits->pending);
}

struct traits *traits_of(struct task *task) {
    if (task->traits == NULL)
        task->traits = scratch_alloc(sizeof *task->traits);
    return task->traits;
}

/* --- attributes and names ------------------------------------------------------------------- */

EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
    if (rt.current == NULL)
        return real.pthread_getattr_np(thread, attributes);
    const struct task *target = task_of_thread(thread);
    if (target == NULL)
        return ESRCH;
    pthread_attr_init(attributes);
    pthread_attr_setstack(attributes, (void *)slot_stack_low(target->id), SLOT_STACK);
    pthread_attr_setguardsize(attributes, SLOT_GUARD);
    pthread_attr_setdetachstate(attributes, target->thread.detached ? PTHREAD_CREATE_DETACHED
                                                                    : PTHREAD_CREATE_JOINABLE);
    return 0;
}

EXPORT int pthread_setname_np(pthread_t thread, const char *name) {
    if (rt.current == NULL)
        return real.pthread_setname_np(thread, name);
    struct task *target = task_of_thread(thread);
    if (target == NULL)
        return ESRCH;
    if (strlen(name) >= sizeof target->traits->name)
        return ERANGE;
    struct traits *traits = traits_of(target);
    strcpy(traits->name, name);
    traits->named = true;
    return 0;
}

EXPORT int pthread_getname_np(pthread_t thread, char *name, size_t size) {
    if (rt.current == NULL)
        return real.pthread_getname_np(thread, name, size);
    const struct task *target = task_of_thread(thread);
    if (target == NULL)
        return ESRCH;
    if (size < sizeof target->traits->name)
        return ERANGE;
    access_for((uint64_t)name, sizeof target->traits->name, true, CALLER);
    strcpy(name,
           target->traits != NULL && target->traits->named ? target->traits->name : first_name);
    return 0;
}

/* --- what has no effect --------------------------------------------------------------------- */

#define WITHOUT_EFFECT(function, parameters, arguments) \
    EXPORT int function parameters { \
        if (rt.current == NULL) \
            return real.function arguments; \
        noted(#function, "has no effect: all orders are explored", CALLER); \
        return 0; \
    }

WITHOUT_EFFECT(pthread_setschedparam, (pthread_t thread, int policy, const struct sched_param *how),
               (thread, policy, how))
WITHOUT_EFFECT(pthread_setschedprio, (pthread_t thread, int priority), (thread, priority))
WITHOUT_EFFECT(pthread_setaffinity_np, (pthread_t thread, size_t size, const cpu_set_t *set),
               (thread, size, set))
WITHOUT_EFFECT(sched_setaffinity, (pid_t thread, size_t size, const cpu_set_t *set),
               (thread, size, set))
WITHOUT_EFFECT(sched_setscheduler, (pid_t thread, int policy, const struct sched_param *how),
               (thread, policy, how))
WITHOUT_EFFECT(sched_setparam, (pid_t thread, const struct sched_param *how), (thread, how))

EXPORT int sched_getcpu(void) {
    return rt.current == NULL ? real.sched_getcpu() : 0;
}

/* The clock of a thread is virtual, like all others. */
EXPORT int pthread_getcpuclockid(pthread_t thread, clockid_t *clock) {
    if (rt.current == NULL)
        return real.pthread_getcpuclockid(thread, clock);
    if (task_of_thread(thread) == NULL)
        return ESRCH;
    noted("pthread_getcpuclockid", "processor time is virtual, like all time", CALLER);
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}
