/* equal_stores_right.c - two threads set the same value, and only one of them publishes data with
 * it.
 *
 * The helper uses a read-modify-write instead of a store. A thread that reads the value therefore
 * acquires what the publisher released, whichever of the two came last.
 *
 * expect: verified
 * counts: vary; a temporary of the compiler may make the first round of the loop another one */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ready, done;
int number;

static void *helper(void *unused) {
    (void)unused;
    atomic_fetch_or_explicit(&ready, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
    return NULL;
}

static void *publisher(void *unused) {
    (void)unused;
    number = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, helper, NULL);
    pthread_create(&threads[1], NULL, publisher, NULL);
    while (atomic_load_explicit(&done, memory_order_relaxed) != 2)
        continue;
    if (atomic_load_explicit(&ready, memory_order_acquire) == 1)
        number = 2;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
