/* unlock_other_wrong.c - one thread waits for another by a mutex, which the other one unlocks.
 *
 * Only the thread that locked a mutex may unlock it. If this seems to work, it is luck.
 *
 * expect: bug sync-misuse
 * executions: 1
 *
 * Main waits for the lock that it holds, so the thread must unlock it. */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t finished;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_unlock(&finished);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&finished, NULL);
    pthread_mutex_lock(&finished);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&finished);
    pthread_join(thread, NULL);
    pthread_mutex_unlock(&finished);
    pthread_mutex_destroy(&finished);
    return 0;
}
