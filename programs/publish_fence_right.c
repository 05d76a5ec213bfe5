/* publish_fence_right.c - data is published by a relaxed flag between two fences.
 *
 * The release fence before the store and the acquire fence after the load give the order that the
 * relaxed flag does not give.
 *
 * expect: verified */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool ready;
static int data;

static void *publisher(void *unused) {
    (void)unused;
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, true, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publisher, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        heddle_assert(data == 42);
    }
    pthread_join(thread, NULL);
    return 0;
}
