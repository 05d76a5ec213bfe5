/* readers.c - one task writes x, n tasks read it once.
 *
 * Reads do not race with each other. All that matters is which reads come before the write: 2^n
 * traces. This is the textbook case in which classic DPOR does much more than it must.
 *
 * expect: verified
 * executions: 44
 *
 * n = 2: main's six steps (three creates, three joins) leave five gaps. The only step of the k-th
 * task falls into one of the three gaps k, k+1, k+2. Steps in one gap may come in any order. With
 * the last task in gap 3, 4 or 5 this gives 19 + 14 + 11 orders. */
#include <pthread.h>
#include <stdatomic.h>

#include "size.h"

enum { READERS_MAX = 64 };

static atomic_int x;

static void *writer(void *unused) {
    (void)unused;
    atomic_store(&x, 1);
    return NULL;
}

static void *reader(void *unused) {
    (void)unused;
    (void)atomic_load(&x);
    return NULL;
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2, READERS_MAX);
    pthread_t threads[READERS_MAX + 1];

    pthread_create(&threads[0], NULL, writer, NULL);
    for (int i = 1; i <= n; i++)
        pthread_create(&threads[i], NULL, reader, NULL);
    for (int i = 0; i <= n; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
