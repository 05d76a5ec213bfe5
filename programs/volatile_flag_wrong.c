/* volatile_flag_wrong.c - data is published by a volatile flag.
 *
 * In C `volatile` is for devices and signal handlers. Between threads it orders nothing.
 *
 * expect: bug data-race */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static volatile bool ready;
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
