/* robust_right.c - the owner of a robust mutex ends, and the next owner repairs the data that it
 * left behind.
 *
 * The worker locks and ends. Main locks either before that, and then its join waits for the worker;
 * or after that, and then EOWNERDEAD tells it so. While one of them has the mutex, the other one
 * waits: two orders.
 *
 * expect: verified
 * executions: 2 */
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static int begun, ended;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    begun++;
    return NULL;
}

static int lock_and_repair(void) {
    int error = pthread_mutex_lock(&mutex);
    if (error == EOWNERDEAD) {
        ended = begun;
        heddle_assert(pthread_mutex_consistent(&mutex) == 0);
    }
    heddle_assert(begun == ended);
    pthread_mutex_unlock(&mutex);
    return error;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_t thread;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, NULL, worker, NULL);
    int first = lock_and_repair();
    pthread_join(thread, NULL);
    int second = lock_and_repair();
    heddle_assert((first == EOWNERDEAD) + (second == EOWNERDEAD) == 1);
    return 0;
}
