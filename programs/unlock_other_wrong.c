/* unlock_other_wrong.c - one thread waits for another with a mutex, which the other one unlocks.
 *
 * A mutex belongs to who locked it. That it seems to work is luck.
 *
 * expect: bug sync-misuse
 * executions: 1
 *
 * Main waits for the lock that it has, so the thread must unlock it. */
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
