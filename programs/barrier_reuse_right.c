/* barrier_reuse_right.c - two rounds of writing and reading, with a barrier after each half of a
 * round.
 *
 * expect: verified
 * executions: 18
 *
 * Each thread waits three times. At the first wait either thread arrives first, and the other opens
 * the barrier: 2 ways. At each later wait there are 3 ways: the thread that opened the barrier
 * before arrives before the other one has left (then the order is fixed), or the other one leaves
 * first and then either arrives first. 2 * 3 * 3. */
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
    heddle_assert(cells[1 - me] != 0);
    pthread_barrier_wait(&barrier);
    cells[me] = 2;
    pthread_barrier_wait(&barrier);
    heddle_assert(cells[1 - me] != 0);
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
