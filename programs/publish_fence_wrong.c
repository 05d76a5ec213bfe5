/* publish_fence_wrong.c - data is published by a relaxed flag after a release fence, but the reader
 * has no fence.
 *
 * Both sides need a fence: one alone orders nothing.
 *
 * expect: bug data-race */
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
        heddle_assert(data == 42);
    }
    pthread_join(thread, NULL);
    return 0;
}
