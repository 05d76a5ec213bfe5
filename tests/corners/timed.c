/* timed.c - waits with a deadline. Each wait may time out, and each must be able to succeed. */
#include "corner.h"
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static int data, ready;

static struct timespec in_a_second(clockid_t clock) {
    struct timespec time;
    OK(clock_gettime(clock, &time));
    time.tv_sec++;
    return time;
}

/* expect: verified
 * executions: 1
 * A free mutex is locked at once, whatever the deadline (POSIX: "under no circumstance shall the
 * function fail with a timeout if the mutex can be locked immediately"). */
PROGRAM(timed_lock_of_a_free_one) {
    struct timespec past = {0, 0};
    OK(pthread_mutex_timedlock(&mutex, &past));
    OK(pthread_mutex_unlock(&mutex));
    return 0;
}

/* expect: verified
 * The mutex stays locked, so the lock can only end by its time-out. */
PROGRAM(timed_lock_times_out) {
    struct timespec deadline = in_a_second(CLOCK_REALTIME);
    OK(pthread_mutex_lock(&mutex));
    GIVES(ETIMEDOUT, pthread_mutex_timedlock(&mutex, &deadline));
    OK(pthread_mutex_unlock(&mutex));
    return 0;
}

THREAD(hold_a_while) {
    OK(pthread_mutex_lock(&mutex));
    data++;
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

THREAD(timed_add) {
    struct timespec deadline = in_a_second(CLOCK_REALTIME);
    if (pthread_mutex_timedlock(&mutex, &deadline) == 0) {
        data++;
        OK(pthread_mutex_unlock(&mutex));
    }
    return NULL;
}

/* expect: verified
 * A thread adds only if it got the mutex. */
PROGRAM(timed_lock_right) {
    both(hold_a_while, timed_add);
    assert(data == 1 || data == 2);
    return 0;
}

/* expect: bug assertion
 * The lock may time out while the other thread is in its section. */
PROGRAM(timed_lock_may_fail) {
    both(hold_a_while, timed_add);
    assert(data == 2);
    return 0;
}

THREAD(timed_add_unchecked) {
    struct timespec deadline = in_a_second(CLOCK_REALTIME);
    pthread_mutex_timedlock(&mutex, &deadline);
    data++;
    return NULL;
}

/* expect: bug data-race
 * The thread does not check the result. After a time-out, nothing protects the data. */
PROGRAM(timed_lock_unchecked) {
    pthread_t one = spawn(timed_add_unchecked, NULL);
    OK(pthread_mutex_lock(&mutex));
    data++;
    join(one);
    OK(pthread_mutex_unlock(&mutex));
    return 0;
}

/* expect: verified
 * executions: 1
 * Nanoseconds must be less than 1,000,000,000. */
PROGRAM(timed_lock_invalid) {
    struct timespec wrong = {1, 1000000000};
    OK(pthread_mutex_lock(&mutex));
    GIVES(EINVAL, pthread_mutex_timedlock(&mutex, &wrong));
    OK(pthread_mutex_unlock(&mutex));
    return 0;
}

THREAD(timed_wait) {
    struct timespec deadline = in_a_second(CLOCK_REALTIME);
    int result = 0;
    OK(pthread_mutex_lock(&mutex));
    while (!ready && result == 0) {
        result = pthread_cond_timedwait(&cond, &mutex, &deadline);
    }
    assert(ready || result == ETIMEDOUT);
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

THREAD(set_ready) {
    OK(pthread_mutex_lock(&mutex));
    ready = 1;
    OK(pthread_cond_signal(&cond));
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: verified
 * The wait ends because the predicate is true, or by its time-out. */
PROGRAM(timed_wait_right) {
    both(timed_wait, set_ready);
    return 0;
}

THREAD(timed_wait_must_be_ready) {
    struct timespec deadline = in_a_second(CLOCK_REALTIME);
    OK(pthread_mutex_lock(&mutex));
    if (!ready) {
        pthread_cond_timedwait(&cond, &mutex, &deadline);
    }
    assert(ready);
    OK(pthread_mutex_unlock(&mutex));
    return NULL;
}

/* expect: bug assertion
 * The thread does not check for a time-out. */
PROGRAM(timed_wait_wrong) {
    both(timed_wait_must_be_ready, set_ready);
    return 0;
}

/* expect: verified
 * No thread signals, so the wait ends by its deadline, and there is no deadlock. The mutex is
 * locked again. */
PROGRAM(timed_wait_alone) {
    struct timespec deadline = in_a_second(CLOCK_REALTIME);
    OK(pthread_mutex_lock(&mutex));
    GIVES(ETIMEDOUT, pthread_cond_timedwait(&cond, &mutex, &deadline));
    OK(pthread_mutex_unlock(&mutex));
    return 0;
}

/* expect: verified
 * After a time-out, the clock shows the deadline or a later time. */
PROGRAM(timed_wait_moves_the_clock) {
    pthread_condattr_t attributes;
    struct timespec deadline = in_a_second(CLOCK_MONOTONIC), now;
    OK(pthread_condattr_init(&attributes));
    OK(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC));
    OK(pthread_cond_init(&cond, &attributes));
    OK(pthread_mutex_lock(&mutex));
    GIVES(ETIMEDOUT, pthread_cond_timedwait(&cond, &mutex, &deadline));
    OK(pthread_mutex_unlock(&mutex));
    OK(clock_gettime(CLOCK_MONOTONIC, &now));
    assert(now.tv_sec > deadline.tv_sec ||
           (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec));
    return 0;
}

/* expect: verified
 * sem_timedwait returns -1, with ETIMEDOUT in errno. */
PROGRAM(timed_semaphore) {
    struct timespec deadline = in_a_second(CLOCK_REALTIME);
    OK(sem_init(&semaphore, 0, 0));
    GIVES(-1, sem_timedwait(&semaphore, &deadline));
    assert(errno == ETIMEDOUT);
    OK(sem_post(&semaphore));
    OK(sem_timedwait(&semaphore, &deadline));
    return 0;
}

THREAD(write_and_post) {
    data = 1;
    OK(sem_post(&semaphore));
    return NULL;
}

/* expect: bug data-race
 * A wait for a semaphore that timed out does not order the threads. */
PROGRAM(timed_semaphore_unchecked) {
    struct timespec deadline = in_a_second(CLOCK_REALTIME);
    OK(sem_init(&semaphore, 0, 0));
    pthread_t thread = spawn(write_and_post, NULL);
    sem_timedwait(&semaphore, &deadline);
    data = 2;
    join(thread);
    return 0;
}

/* expect: verified
 * Read-write locks: a writer times out while a reader holds the lock. Another reader gets it. */
PROGRAM(timed_rwlock) {
    struct timespec deadline = in_a_second(CLOCK_REALTIME);
    OK(pthread_rwlock_rdlock(&lock));
    GIVES(ETIMEDOUT, pthread_rwlock_timedwrlock(&lock, &deadline));
    OK(pthread_rwlock_timedrdlock(&lock, &deadline));
    OK(pthread_rwlock_unlock(&lock));
    OK(pthread_rwlock_unlock(&lock));
    OK(pthread_rwlock_timedwrlock(&lock, &deadline));
    OK(pthread_rwlock_unlock(&lock));
    return 0;
}

/* expect: verified
 * A join with a deadline returns ETIMEDOUT, and the thread can be joined later. */
PROGRAM(timed_join) {
    OK(pthread_mutex_lock(&mutex));
    struct timespec deadline = in_a_second(CLOCK_REALTIME);
    pthread_t thread = spawn(hold_a_while, NULL);
    GIVES(ETIMEDOUT, pthread_timedjoin_np(thread, NULL, &deadline));
    OK(pthread_mutex_unlock(&mutex));
    join(thread);
    return 0;
}

/* expect: verified
 * executions: 1
 * The clock of one thread never goes back, and a sleep moves it by at least its duration. */
PROGRAM(timed_sleep_moves_the_clock) {
    struct timespec before, after, pause = {0, 500000000};
    OK(clock_gettime(CLOCK_MONOTONIC, &before));
    OK(nanosleep(&pause, NULL));
    GIVES(0, (int)sleep(1));
    OK(clock_gettime(CLOCK_MONOTONIC, &after));
    long moved = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
    assert(moved >= 1500);
    return 0;
}

THREAD(sleep_then_write) {
    sleep(1);
    data = 1;
    return NULL;
}

/* expect: bug data-race
 * A sleep does not order the threads. */
PROGRAM(timed_sleep_orders_nothing) {
    pthread_t thread = spawn(sleep_then_write, NULL);
    data = 2;
    join(thread);
    return 0;
}

/* expect: verified
 * pthread_mutex_clocklock, pthread_cond_clockwait and sem_clockwait take the clock as an
 * argument. */
PROGRAM(timed_by_a_clock) {
    struct timespec deadline = in_a_second(CLOCK_MONOTONIC);
    OK(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &deadline));
    GIVES(ETIMEDOUT, pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &deadline));
    OK(pthread_mutex_unlock(&mutex));
    OK(sem_init(&semaphore, 0, 0));
    GIVES(-1, sem_clockwait(&semaphore, CLOCK_MONOTONIC, &deadline));
    assert(errno == ETIMEDOUT);
    return 0;
}
