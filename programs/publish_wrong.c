/* publish_wrong.c - data is published by a flag that is atomic, but relaxed.
 *
 * A relaxed load that sees the flag orders nothing: the data may become visible later.
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
    atomic_store_explicit(&ready, true, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publisher, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        heddle_assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
