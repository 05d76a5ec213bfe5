/* A timed wait. The mutex is locked again in either case. After a time-out, the clock has reached
 * the deadline. A bad deadline is an error at once.
 *
 * Main waits, and the mutex is free. Let S be main's time-out, L main's lock after it, and W main's
 * lock after the signal. Let l, s, u be the thread's lock, signal and unlock. There are 4 orders: S
 * L l s u, S l s u L, l S s u L, and, with the signal, l s u W. In the first order main's unlock
 * comes before l, because main holds the mutex. In the others the thread is done.
 * expect: verified
 * executions: 4 */
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&finished);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct timespec deadline, now, bad = {0, -1};
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 3600;
    pthread_mutex_lock(&lock);
    heddle_assert(pthread_cond_timedwait(&finished, &lock, &bad) == EINVAL);
    pthread_create(&thread, NULL, worker, NULL);
    int error = pthread_cond_timedwait(&finished, &lock, &deadline);
    clock_gettime(CLOCK_REALTIME, &now);
    heddle_assert(error == 0 || error == ETIMEDOUT);
    if (error == ETIMEDOUT)
        heddle_assert(now.tv_sec >= deadline.tv_sec);
    else
        heddle_assert(now.tv_sec < deadline.tv_sec);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
