/* cancel_wrong.c - a thread is cancelled while it holds a lock, and never unlocks it.
 *
 * expect: bug leaked-lock */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int progress;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    progress++;
    pthread_testcancel();
    progress++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
