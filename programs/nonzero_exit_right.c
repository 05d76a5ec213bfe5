/* nonzero_exit_right.c - main stores what the thread needs before it creates the thread.
 *
 * expect: verified
 * executions: 1
 *
 * Store, create, look, join: only one order is possible. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static atomic_bool configured;

static void *server(void *unused) {
    (void)unused;
    if (!atomic_load(&configured))
        exit(3);
    return NULL;
}

int main(void) {
    pthread_t thread;
    atomic_store(&configured, true);
    pthread_create(&thread, NULL, server, NULL);
    pthread_join(thread, NULL);
    return 0;
}
