/* sleep_sync_right.c - main waits for the thread by joining it.
 *
 * expect: verified
 * executions: 1
 *
 * Store, join, load: only one order is possible. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool started;

static void *server(void *unused) {
    (void)unused;
    atomic_store(&started, true);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, server, NULL);
    pthread_join(thread, NULL);
    heddle_assert(atomic_load(&started));
    return 0;
}
