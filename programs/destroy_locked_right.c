/* destroy_locked_right.c - a mutex is destroyed after the last thread that uses it has been joined.
 *
 * expect: verified
 * executions: 1
 *
 * Lock, unlock, join, destroy: only one order is possible. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock;
static int counter;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&lock);
    return 0;
}
