/* A wait unlocks a recursive mutex once. Main holds it three times, so it stays locked, and the
 * thread that should wake main never gets it.
 *
 * The C library does this, and POSIX warns of it ("may not actually release the mutex").
 * expect: bug sync-misuse */
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
