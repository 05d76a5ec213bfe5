/* cancelled_join_wrong.c - a pending join of a cancelled thread races with the end of the program.
 *
 * The waiter joins the worker. Main cancels the waiter. The worker calls exit(). If main's request
 * comes before the worker has moved, the waiter is cancelled, main joins it, and main's assertion
 * fails; no step of the worker is needed for this. So the pending join, which the cancellation has
 * enabled, races with the worker's exit().
 *
 * expect: bug assertion */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_t waiter, worker;

static void *work(void *unused) {
    (void)unused;
    exit(0);
}

static void *wait_for_worker(void *unused) {
    pthread_create(&worker, NULL, work, NULL);
    pthread_join(worker, NULL);
    return unused;
}

int main(void) {
    pthread_create(&waiter, NULL, wait_for_worker, NULL);
    pthread_cancel(waiter);
    pthread_join(waiter, NULL);
    assert(!"main has joined the waiter");
}
