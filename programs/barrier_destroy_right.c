/* barrier_destroy_right.c - a barrier is destroyed when no thread can be at it any more.
 *
 * expect: verified
 * executions: 2
 *
 * Either thread may arrive first; the other one opens the barrier, the first one leaves, and main
 * joins. */
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
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
