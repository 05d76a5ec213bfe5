/* barrier_count_wrong.c - a barrier for one thread more than there are.
 *
 * The count includes a thread that never comes, so no thread passes.
 *
 * expect: bug deadlock
 * executions: 2
 *
 * Either thread may arrive first, and then both wait forever. */
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
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&thread, NULL, worker, (void *)(intptr_t)0);
    worker((void *)(intptr_t)1);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
