/* nonzero_exit_wrong.c - a thread that finds no work ends the process, with exit code 3.
 *
 * expect: bug nonzero-exit
 * executions: 3
 *
 * Thread: look, and exit if there is nothing. Main: one store, before, between or after. */
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
    pthread_create(&thread, NULL, server, NULL);
    atomic_store(&configured, true);
    pthread_join(thread, NULL);
    return 0;
}
