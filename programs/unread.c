/* unread.c - n tasks write different values to x, and nobody reads it.
 *
 * Every order of the writes is a trace, n! of them; with observers one is enough.
 *
 * expect: verified
 * executions: 44
 *
 * n = 3: three tasks of one step, as in readers.c. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "size.h"

enum { WRITERS_MAX = 16 };

atomic_int x; /* not static: a compiler may leave out stores that nobody can see */

static void *writer(void *argument) {
    atomic_store(&x, (int)(intptr_t)argument);
    return NULL;
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 3, WRITERS_MAX);
    pthread_t threads[WRITERS_MAX];

    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, writer, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
