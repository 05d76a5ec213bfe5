/* barrier_destroy_wrong.c - a barrier is destroyed while a thread waits at it.
 *
 * Main gives up before it arrives, and destroys the barrier although the thread may wait there.
 *
 * expect: bug sync-misuse
 * executions: 3
 *
 * The thread arrives; main destroys the barrier and returns. The thread arrives before, between or
 * after these two; "after" means never, because the program has ended. */
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
