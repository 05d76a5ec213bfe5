/* seqlock_wrong.c - a sequence lock whose reader does not look at the sequence number again.
 *
 * The reader does not notice a writer that comes in between.
 *
 * expect: bug assertion
 * executions: 35
 *
 * Four steps of the writer, three of the reader: 7!/(4! 3!). */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint sequence;
static atomic_int low, high;

static void *writer(void *unused) {
    (void)unused;
    atomic_fetch_add(&sequence, 1);
    atomic_store(&low, 1);
    atomic_store(&high, 1);
    atomic_fetch_add(&sequence, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    unsigned before = atomic_load(&sequence);
    int seen_low = atomic_load(&low);
    int seen_high = atomic_load(&high);
    pthread_join(thread, NULL);
    if (before % 2 == 0)
        heddle_assert(seen_low == seen_high);
    return 0;
}
