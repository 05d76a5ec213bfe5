/* early_locks.c - locks of every kind that a constructor took, and other state that it left to
 * main.
 *
 * The thread tries each lock. A lock that the constructor holds is busy, and one that it released
 * is free. A lock that it holds for reading can be read, but not written. Main releases all of them
 * only after the join, so the answers are the same in every execution. Main holds the recursive
 * mutex twice. The constructor disabled cancellation, so main may cancel itself without ending.
 *
 * expect: verified */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, given_back = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t read_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t write_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t c11;
static sem_t semaphore;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int once_runs;

static void run_once(void) {
    once_runs++;
}

__attribute__((constructor)) static void begin(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_trylock(&recursive);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&given_back);
    pthread_rwlock_rdlock(&read_lock);
    pthread_rwlock_wrlock(&write_lock);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&spin);
    mtx_init(&c11, mtx_plain);
    mtx_lock(&c11);
    flockfile(stdout);
    sem_init(&semaphore, 0, 2);
    sem_wait(&semaphore);
    pthread_once(&once, run_once);
    pthread_mutex_unlock(&given_back);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
}

static void *worker(void *unused) {
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
    assert(pthread_mutex_trylock(&recursive) == EBUSY);
    assert(pthread_mutex_trylock(&given_back) == 0);
    assert(pthread_mutex_unlock(&given_back) == 0);
    assert(pthread_rwlock_trywrlock(&read_lock) == EBUSY);
    assert(pthread_rwlock_tryrdlock(&read_lock) == 0);
    assert(pthread_rwlock_unlock(&read_lock) == 0);
    assert(pthread_rwlock_tryrdlock(&write_lock) == EBUSY);
    assert(pthread_spin_trylock(&spin) == EBUSY);
    assert(mtx_trylock(&c11) == thrd_busy);
    assert(ftrylockfile(stdout) != 0);
    assert(sem_trywait(&semaphore) == 0);
    assert(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
    pthread_once(&once, run_once);
    return unused;
}

int main(void) {
    pthread_t thread;
    int state;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&recursive);
    assert(pthread_mutex_unlock(&recursive) == 0);
    pthread_rwlock_unlock(&read_lock);
    pthread_rwlock_unlock(&write_lock);
    pthread_spin_unlock(&spin);
    mtx_unlock(&c11);
    funlockfile(stdout);
    assert(once_runs == 1);
    pthread_cancel(pthread_self());
    pthread_testcancel();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    assert(state == PTHREAD_CANCEL_DISABLE);
    return 0;
}
