/* robust_wrong.c - the owner of a robust mutex ends, and nobody makes the mutex consistent.
 *
 * Who locks it next has it, with EOWNERDEAD. By unlocking it as it is that one makes it unusable for ever.
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
