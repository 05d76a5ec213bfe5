/* The serial thread may destroy the barrier at once, and free it: the C library waits for the other
 * threads.
 *
 * The two threads arrive in either order. Then the first one leaves before the destruction begins,
 * or the destruction waits for it, which is the same order. So there are 2 executions.
 * expect: verified
 * executions: 2 */
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;
static int serial;

static void *worker(void *unused) {
    (void)unused;
    int result = pthread_barrier_wait(barrier);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) {
        serial++;
        pthread_barrier_destroy(barrier);
        free(barrier);
    } else {
        heddle_assert(result == 0);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    barrier = malloc(sizeof *barrier);
    heddle_assert(pthread_barrier_init(barrier, NULL, 0) == EINVAL);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    heddle_assert(serial == 1);
    return 0;
}
