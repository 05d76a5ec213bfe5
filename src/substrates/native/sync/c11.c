/* c11.c - <threads.h>: the C11 names for the functions of mutex.c, cond.c, once.c, thread.c and
 * thread_end.c, with their own result codes. The types are those of pthreads underneath, as in
 * the C library. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "substrates/native/calls/real.h"
#include "substrates/native/calls/virtual_time.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/program/before_main.h"
#include "substrates/native/sync/locks.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/thread.h"
#include "substrates/native/tasks/thread_end.h"

static int result_of(int error) {
    switch (error) {
    case 0: return thrd_success;
    case ENOMEM: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    case EBUSY: return thrd_busy;
    }
    return thrd_error;
}

/* --- threads ---------------------------------------------------------------------------------- */

EXPORT int thrd_create(thrd_t *thread, thrd_start_t entry, void *argument) {
    struct task *parent = rt.current;
    if (parent == NULL)
        return real.thrd_create(thread, entry, argument);
    access_for((uint64_t)thread, sizeof *thread, true, CALLER); /* before the thread begins */
    *thread = thread_start(parent, NULL, entry, argument, CALLER)->fiber.fs_base;
    return thrd_success;
}

EXPORT int thrd_join(thrd_t thread, int *result) {
    struct task *task = rt.current, *joined;
    if (task == NULL)
        return real.thrd_join(thread, result);
    struct join_call call = {.pc = CALLER};
    int error = thread_join(task, thread, &call, &joined);
    if (error == 0 && result != NULL) {
        access_for((uint64_t)result, sizeof *result, true, CALLER);
        *result = (int)(intptr_t)joined->thread.result;
    }
    return result_of(error);
}

EXPORT int thrd_detach(thrd_t thread) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.thrd_detach(thread);
    thread_detach(task, thread, CALLER);
    return thrd_success;
}

EXPORT void thrd_exit(int result) {
    struct task *task = rt.current;
    if (task == NULL)
        real.thrd_exit(result);
    thread_leave(task, (void *)(intptr_t)result);
}

EXPORT void thrd_yield(void) {
    struct task *task = rt.current;
    struct op op = {.kind = OP_YIELD, .pc = CALLER};
    if (task == NULL)
        real.thrd_yield();
    else
        happened(perform(task, &op, NULL, NULL));
}

EXPORT int thrd_sleep(const struct timespec *time, struct timespec *rest) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.thrd_sleep(time, rest);
    if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= 1000000000)
        return -2; /* any negative value but -1, which is for signals */
    sleep_for(task, (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec, CALLER);
    return 0;
}

/* --- mutexes ---------------------------------------------------------------------------------- */

EXPORT int mtx_init(mtx_t *mutex, int type) {
    struct task *task = rt.current;
    pthread_mutexattr_t attributes;
    if (task == NULL)
        return real.mtx_init(mutex, type);
    if (type & ~(mtx_plain | mtx_timed | mtx_recursive))
        return thrd_error;
    pthread_mutexattr_init(&attributes);
    if (type & mtx_recursive)
        pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    return result_of(mutex_init(task, (pthread_mutex_t *)mutex, &attributes, CALLER));
}

EXPORT void mtx_destroy(mtx_t *mutex) {
    struct task *task = rt.current;
    if (task == NULL)
        real.mtx_destroy(mutex);
    else
        mutex_destroy(task, (pthread_mutex_t *)mutex, CALLER);
}

EXPORT int mtx_lock(mtx_t *mutex) {
    struct task *task = rt.current;
    if (task == NULL)
        return early_locked(real.mtx_lock(mutex), mutex, EARLY_MUTEX, CALLER);
    return result_of(mutex_lock(task, (pthread_mutex_t *)mutex, CLOCK_REALTIME, NULL, CALLER));
}

EXPORT int mtx_timedlock(mtx_t *mutex, const struct timespec *deadline) {
    struct task *task = rt.current;
    if (task == NULL)
        return early_locked(real.mtx_timedlock(mutex, deadline), mutex, EARLY_MUTEX, CALLER);
    return result_of(mutex_lock(task, (pthread_mutex_t *)mutex, CLOCK_REALTIME, deadline, CALLER));
}

EXPORT int mtx_trylock(mtx_t *mutex) {
    struct task *task = rt.current;
    if (task == NULL)
        return early_locked(real.mtx_trylock(mutex), mutex, EARLY_MUTEX, CALLER);
    return result_of(mutex_trylock(task, (pthread_mutex_t *)mutex, CALLER));
}

EXPORT int mtx_unlock(mtx_t *mutex) {
    struct task *task = rt.current;
    if (task == NULL)
        return early_unlocked(real.mtx_unlock(mutex), mutex);
    return result_of(mutex_unlock(task, (pthread_mutex_t *)mutex, CALLER));
}

/* --- condition variables ---------------------------------------------------------------------- */

EXPORT int cnd_init(cnd_t *cond) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.cnd_init(cond);
    return result_of(cond_init(task, (pthread_cond_t *)cond, NULL, CALLER));
}

EXPORT void cnd_destroy(cnd_t *cond) {
    struct task *task = rt.current;
    if (task == NULL)
        real.cnd_destroy(cond);
    else
        cond_destroy(task, (pthread_cond_t *)cond, CALLER);
}

EXPORT int cnd_wait(cnd_t *cond, mtx_t *mutex) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.cnd_wait(cond, mutex);
    return result_of(cond_wait(task, (pthread_cond_t *)cond, (pthread_mutex_t *)mutex,
                               CLOCK_REALTIME, NULL, CALLER));
}

EXPORT int cnd_timedwait(cnd_t *cond, mtx_t *mutex, const struct timespec *deadline) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.cnd_timedwait(cond, mutex, deadline);
    return result_of(cond_wait(task, (pthread_cond_t *)cond, (pthread_mutex_t *)mutex,
                               CLOCK_REALTIME, deadline, CALLER));
}

EXPORT int cnd_signal(cnd_t *cond) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.cnd_signal(cond);
    return result_of(cond_signal(task, (pthread_cond_t *)cond, CALLER));
}

EXPORT int cnd_broadcast(cnd_t *cond) {
    struct task *task = rt.current;
    if (task == NULL)
        return real.cnd_broadcast(cond);
    return result_of(cond_broadcast(task, (pthread_cond_t *)cond, CALLER));
}

/* --- once, and data of the thread's own ------------------------------------------------------- */

EXPORT void call_once(once_flag *flag, void (*routine)(void)) {
    struct task *task = rt.current;
    if (task == NULL)
        real.call_once(flag, routine);
    else
        once_run(task, (int *)flag, routine, CALLER);
}

EXPORT int tss_create(tss_t *key, tss_dtor_t destructor) {
    return result_of(pthread_key_create(key, destructor));
}

EXPORT void tss_delete(tss_t key) {
    pthread_key_delete(key);
}

EXPORT void *tss_get(tss_t key) {
    return pthread_getspecific(key);
}

EXPORT int tss_set(tss_t key, void *value) {
    return result_of(pthread_setspecific(key, value));
}
