/* missed_signal_wrong.c - a signal that comes before the wait wakes no thread, and is lost.
 *
 * A condition variable has no memory. Nothing in this program remembers that the signal was given.
 *
 * expect: bug deadlock
 * executions: 3
 *
 * Thread: lock, sleep, wake, unlock. Main: signal. The signal comes before the lock, between lock
 * and sleep, or after the sleep. Only in the last case does it wake the thread. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&event, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_cond_signal(&event);
    pthread_join(thread, NULL);
    return 0;
}
