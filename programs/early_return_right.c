/* early_return_right.c - main returns after the thread has done its work.
 *
 * expect: verified
 * executions: 1
 *
 * Store, join, look: only one order is possible. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static atomic_bool saved;

static void *save(void *unused) {
    (void)unused;
    atomic_store(&saved, true);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, save, NULL);
    pthread_join(thread, NULL);
    return atomic_load(&saved) ? EXIT_SUCCESS : EXIT_FAILURE;
}
