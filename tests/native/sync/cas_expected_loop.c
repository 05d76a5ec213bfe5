/* A failed compare-exchange writes the value that it has found to its expected value. This is a
 * change in static memory too, so the loop does not merely wait. It goes on, and succeeds in its
 * second round, before main stores.
 * expect: bug assertion
 * findings: 1 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int word = 1, done;
static int expected; /* only the thread uses it */

static void *exchange(void *unused) {
    (void)unused;
    while (!atomic_compare_exchange_strong(&word, &expected, 7))
        ;
    atomic_store(&done, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, exchange, NULL);
    assert(atomic_load(&done) == 0);
    atomic_store(&word, 0);
    pthread_join(thread, NULL);
    return 0;
}
