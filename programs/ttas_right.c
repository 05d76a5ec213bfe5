/* ttas_right.c - a test-and-test-and-set lock: a thread spins on reading, and takes the lock by
 * exchange.
 *
 * expect: verified */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool taken;
static int counter;

static void acquire(void) {
    do
        while (atomic_load_explicit(&taken, memory_order_relaxed))
            continue;
    while (atomic_exchange_explicit(&taken, true, memory_order_acquire));
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
