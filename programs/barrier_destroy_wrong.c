/* barrier_destroy_wrong.c - a barrier is destroyed while a thread waits at it.
 *
 * Main gives up before it arrives, and takes the barrier away from the one who may be there.
 *
 * expect: bug sync-misuse
 * executions: 3
 *
 * Thread: arrive; main: destroy, return. The thread arrives before, between or after, and after
 * means never. */
#include <pthread.h>
#include <stddef.h>

static pthread_barrier_t barrier;

static void *worker(void *unused) {
    (void)unused;
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
