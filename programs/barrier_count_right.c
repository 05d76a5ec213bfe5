/* barrier_count_right.c - a barrier for exactly as many threads as there are.
 *
 * expect: verified
 * executions: 2
 *
 * Either thread may arrive first; the other one opens the barrier, and the first one leaves. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_barrier_t barrier;
static int cells[2];

static void *worker(void *argument) {
    int me = (int)(intptr_t)argument;
    cells[me] = 1;
    pthread_barrier_wait(&barrier);
    heddle_assert(cells[1 - me] == 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, worker, (void *)(intptr_t)0);
    worker((void *)(intptr_t)1);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
