/* The expected value of a compare-exchange is in ordinary memory. The failed compare-exchange
 * writes to it, which races with main's read.
 * expect: bug data-race
 * findings: 1
 * text: write of 4 bytes */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int word = 1;
static int expected;

static void *exchange(void *unused) {
    (void)unused;
    atomic_compare_exchange_strong(&word, &expected, 7);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, exchange, NULL);
    int seen = expected;
    pthread_join(thread, NULL);
    return seen == 42;
}
