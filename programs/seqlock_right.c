/* seqlock_right.c - a sequence lock: the values that were read are valid if the sequence number was
 * even and has not changed.
 *
 * expect: verified
 * executions: 70
 *
 * Four steps each: 8!/(4! 4!). */
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
    unsigned after = atomic_load(&sequence);
    pthread_join(thread, NULL);
    if (before % 2 == 0 && after == before)
        heddle_assert(seen_low == seen_high);
    return 0;
}
