/* publish_right.c - data is published by a flag: stored with release, loaded with acquire.
 *
 * expect: verified
 * executions: 2
 *
 * One store, one load, in either order. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool ready;
static int data;

static void *publisher(void *unused) {
    (void)unused;
    data = 42;
    atomic_store_explicit(&ready, true, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publisher, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        heddle_assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
