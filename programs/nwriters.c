/* nwriters.c - n tasks write different values to x, then main reads x.
 *
 * Every order of the writes is a trace, so there are n! traces. The read sees only the last write,
 * so the observers strategy needs only n executions.
 *
 * expect: verified
 * executions: 44
 *
 * n = 3: three tasks of one step, as in readers.c. Main's read comes last in all orders. */
#include <heddle/heddle.h>
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

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 3, WRITERS_MAX);
    pthread_t threads[WRITERS_MAX];

    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, writer, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    heddle_assert(atomic_load(&x) != 0);
    return 0;
}
