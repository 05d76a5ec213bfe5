/* early_return_wrong.c - main returns, which ends the process while a thread is still working.
 *
 * expect: bug nonzero-exit
 * executions: 3
 *
 * Thread: one store. Main: look, return. The store comes before, between or after; "after" means
 * never, because the process has ended. */
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
    return atomic_load(&saved) ? EXIT_SUCCESS : EXIT_FAILURE;
}
