/* robust_wrong.c - the owner of a robust mutex ends, and the mutex is never made consistent.
 *
 * The next thread that locks the mutex gets it, with EOWNERDEAD. If that thread unlocks it without
 * pthread_mutex_consistent(), the mutex is unusable forever.
 *
 * expect: bug assertion */
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t thread;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    heddle_assert(pthread_mutex_lock(&mutex) != ENOTRECOVERABLE);
    return 0;
}
