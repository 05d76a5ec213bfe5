/* After main's pthread_exit, the last thread to end runs the handlers of exit (POSIX,
 * pthread_exit). The stores of the two threads are independent, so only the order of their ends
 * makes a difference. If main ends last, the handler fails. Otherwise the thread runs it.
 * expect: bug assertion
 * findings: 1 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static pthread_t first;

static void at_end(void) {
    heddle_assert(!pthread_equal(pthread_self(), first));
}

static void *thread(void *unused) {
    atomic_store(&x, 1);
    return unused;
}

int main(void) {
    pthread_t other;
    first = pthread_self();
    atexit(at_end);
    pthread_create(&other, NULL, thread, NULL);
    atomic_store(&y, 1);
    pthread_exit(NULL);
}
