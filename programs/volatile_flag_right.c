/* volatile_flag_right.c - data is published by an atomic flag.
 *
 * expect: verified
 * executions: 2
 *
 * One store, one load, in either order. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_bool ready;
static int data;

static void *publisher(void *unused) {
    (void)unused;
    data = 42;
    ready = true;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publisher, NULL);
    if (ready)
        heddle_assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
