/* missed_signal_right.c - a signal that comes too early does no harm, because a variable remembers
 * it.
 *
 * The condition variable only wakes the thread. The variable `ready` says whether there is
 * something to wait for, and both sides access it under the lock.
 *
 * expect: verified
 * executions: 2
 *
 * Thread: lock, (sleep, wake,) unlock. Main: lock, signal, unlock. If main comes first, the thread
 * need not sleep. If the thread comes first, it sleeps, main does all its steps, and the thread
 * wakes up. No other order is possible. */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *waiter(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&event, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_cond_signal(&event);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
