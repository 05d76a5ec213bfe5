/* ttas_wrong.c - a test-and-set lock whose test and set are two steps.
 *
 * Another thread may test between the two, and then both have the lock.
 *
 * expect: bug data-race */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool taken;
static int counter;

static void acquire(void) {
    while (atomic_load_explicit(&taken, memory_order_acquire))
        continue;
    atomic_store_explicit(&taken, true, memory_order_relaxed);
}

static void release(void) {
    atomic_store_explicit(&taken, false, memory_order_release);
}

static void *worker(void *unused) {
    (void)unused;
    acquire();
    counter++;
    release();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    heddle_assert(counter == 2);
    return 0;
}
