/* early_return_wrong.c - main returns, and that ends the process, with a thread still at work.
 *
 * expect: bug nonzero-exit
 * executions: 3
 *
 * Thread: one store; main: look, return. The store comes before, between or after, and after means
 * never. */
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
