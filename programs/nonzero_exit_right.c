/* nonzero_exit_right.c - what a thread needs is there before the thread is.
 *
 * expect: verified
 * executions: 1
 *
 * Store, create, look, join: nothing can be exchanged. */
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
