/* cancelled_join_wrong.c - main cancels the waiter, which waits in a join for the worker, and the worker exits. If the
 * request comes before the worker has moved, the waiter is cancelled, main joins it, and its assertion fails: none of
 * that needs a step of the worker. So the pending join, which could go on, races with the exit.
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
