/* A wait gives a recursive mutex back completely, and takes it as often as it was held.
 *
 * Main holds the mutex until it sleeps, and is woken into the thread's critical section: there is one
 * order only, and it would be a deadlock if the wait released one of three.
 * expect: verified
 * executions: 1 */
#define _GNU_SOURCE
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static int done;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_signal(&finished);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, worker, NULL);
    while (!done)
        heddle_assert(pthread_cond_wait(&finished, &lock) == 0);
    heddle_assert(pthread_mutex_unlock(&lock) == 0);
    heddle_assert(pthread_mutex_unlock(&lock) == 0);
    heddle_assert(pthread_mutex_unlock(&lock) == 0);
    heddle_assert(pthread_mutex_unlock(&lock) == EPERM);
    pthread_join(thread, NULL);
    return 0;
}
