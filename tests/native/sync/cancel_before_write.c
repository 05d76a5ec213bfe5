/* cancel_before_write.c - write() is the first cancellation point of a thread. The cancellation may
 * come before it, or too late.
 *
 * Main cancels the thread. If the cancellation comes first, the thread ends before its write, and
 * the assertion fails. With dfs, the thread stands before the cancellation point write(), and main
 * before pthread_cancel: two orders.
 *
 * expect: bug assertion
 * executions: 2
 * findings: 1 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int written;

static void *worker(void *unused) {
    written = write(STDOUT_FILENO, "", 0) == 0;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    assert(written);
    return 0;
}
