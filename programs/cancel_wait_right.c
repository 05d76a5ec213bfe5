/* cancel_wait_right.c - a thread is cancelled in pthread_cond_wait(), and its cleanup handler
 * unlocks.
 *
 * expect: verified */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;

static void unlock(void *mutex) {
    pthread_mutex_unlock(mutex);
}

static void *waiter(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    for (;;)
        pthread_cond_wait(&event, &lock);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_cancel(thread); /* the signal that it waits for will not come */
    pthread_join(thread, NULL);
    return 0;
}
