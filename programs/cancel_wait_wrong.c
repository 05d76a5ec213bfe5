/* cancel_wait_wrong.c - a thread is cancelled in pthread_cond_wait(), and has no cleanup handler.
 *
 * pthread_cond_wait() locks the mutex again before the thread ends, so the thread ends with the
 * lock held.
 *
 * expect: bug leaked-lock */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;)
        pthread_cond_wait(&event, &lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_cancel(thread); /* the signal that it waits for will not come */
    pthread_join(thread, NULL);
    return 0;
}
