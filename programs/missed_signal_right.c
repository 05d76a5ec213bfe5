/* missed_signal_right.c - a signal that comes too early does no harm: what it means is remembered.
 *
 * The condition variable only wakes; whether there is something to wait for says `ready`, which
 * both sides touch under the lock.
 *
 * expect: verified
 * executions: 2
 *
 * Thread: lock, (sleep, wake,) unlock; main: lock, signal, unlock. If main comes first the thread
 * need not sleep; if the thread comes first it sleeps, main does all it has to, and the thread
 * wakes. Nothing else can be exchanged. */
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
