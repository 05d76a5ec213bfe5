/* A timed wait: the mutex is back in either case, the clock has reached the deadline after a time-out,
 * a bad deadline is an error at once.
 *
 * Main sleeps with the mutex free. Times out before the signal: 1 order has main's lock before the
 * thread's, the other (time-out, then the thread's three operations, then main's lock) another; and
 * between, the thread may have the mutex already when main times out (before its signal): then main
 * waits for it. With S = main's time-out, L = main's lock, l s u = the thread's: S L l s u, S l s u L,
 * l S s u L, and, signalled, l s u W. After each main's unlock may come before or after what the
 * thread still has to do: in the first case u' (main's unlock) comes before l, as the mutex is held.
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
