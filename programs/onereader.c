/* onereader.c - n tasks write x, one task reads it (seed 002, 4.1).
 *
 * For n = 2 there are 3! = 6 traces. If the read comes first, nothing observes the order of the two
 * writes, so with observers these two traces count as one. That leaves 5.
 *
 * expect: verified
 * executions: 44
 *
 * n = 2: three tasks of one step, as in readers.c. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "size.h"

enum { WRITERS_MAX = 16 };

static atomic_int x;

static void *writer(void *argument) {
    atomic_store(&x, (int)(intptr_t)argument);
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    (void)atomic_load(&x);
    return NULL;
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2, WRITERS_MAX);
    pthread_t threads[WRITERS_MAX + 1];

    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, writer, (void *)(intptr_t)(i + 1));
    pthread_create(&threads[n], NULL, reader, NULL);
    for (int i = 0; i <= n; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
