/* lastzero.c - one task looks for the last zero of an array while others fill the array.
 *
 * Task 0 scans a[n], a[n-1], ... down to the first zero, while task j (1..n) does a[j] := a[j-1] +
 * 1. The result of most races between writers is never read. There are (n+3) * 2^(n-2) traces, and
 * an algorithm that is not optimal wastes work here.
 *
 * expect: verified
 * executions: 362
 *
 * n = 2. This number is a snapshot: counted by an exhaustive enumeration, not derived. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "size.h"

enum { LASTZERO_MAX = 64 };

static int n;
static atomic_int a[LASTZERO_MAX + 1];

static void *scan(void *unused) {
    (void)unused;
    int i = n;
    while (atomic_load(&a[i]) != 0)
        i--; /* a[0] is never written */
    return NULL;
}

static void *fill(void *argument) {
    int j = (int)(intptr_t)argument;
    atomic_store(&a[j], atomic_load(&a[j - 1]) + 1);
    return NULL;
}

int main(int argc, char **argv) {
    n = size_argument(argc, argv, 2, LASTZERO_MAX);
    pthread_t threads[LASTZERO_MAX + 1];

    pthread_create(&threads[0], NULL, scan, NULL);
    for (int j = 1; j <= n; j++)
        pthread_create(&threads[j], NULL, fill, (void *)(intptr_t)j);
    for (int j = 0; j <= n; j++)
        pthread_join(threads[j], NULL);
    return 0;
}
