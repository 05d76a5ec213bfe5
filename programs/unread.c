/* unread.c - n tasks write different values to x, and no task reads x.
 *
 * Every order of the writes is a trace, so there are n! traces. The observers strategy needs only
 * one execution.
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

atomic_int x; /* not static, because a compiler may leave out stores that are never read */

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
