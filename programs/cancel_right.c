/* cancel_right.c - a thread is cancelled while it holds a lock, and its cleanup handler unlocks.
 *
 * expect: verified */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int progress;

static void unlock(void *mutex) {
    pthread_mutex_unlock(mutex);
}

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    progress++;
    pthread_testcancel();
    progress++;
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
