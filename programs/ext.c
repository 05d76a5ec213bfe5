/* ext.c - example 3.1 of seed 002, chained n times.
 *
 * Level i: q writes y. If r still sees y = 0, it writes z. If s sees z = 1 and still y = 0, it
 * writes x. If p sees x = 1, it starts the next level. Only one order leads to the next level, so
 * there are only 4n + 1 traces. But source sets alone explore many more executions and give most of
 * them up half-way.
 *
 * expect: verified
 * executions: 2581
 *
 * n = 1. This number is a snapshot: counted by an exhaustive enumeration, not derived. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "size.h"

enum { LEVELS_MAX = 16 };

static int levels;
static atomic_int x[LEVELS_MAX + 1], y[LEVELS_MAX + 1], z[LEVELS_MAX + 1];

struct family {
    pthread_t q, r, s;
};

static void *q(void *argument) {
    int i = (int)(intptr_t)argument;
    atomic_store(&y[i], 1);
    return NULL;
}

static void *r(void *argument) {
    int i = (int)(intptr_t)argument;
    if (atomic_load(&y[i]) == 0)
        atomic_store(&z[i], 1);
    return NULL;
}

static void *s(void *argument) {
    int i = (int)(intptr_t)argument;
    if (atomic_load(&z[i]) == 1 && atomic_load(&y[i]) == 0)
        atomic_store(&x[i], 1);
    return NULL;
}

static void start(struct family *family, int i) {
    pthread_create(&family->q, NULL, q, (void *)(intptr_t)i);
    pthread_create(&family->r, NULL, r, (void *)(intptr_t)i);
    pthread_create(&family->s, NULL, s, (void *)(intptr_t)i);
}

static void finish(const struct family *family) {
    pthread_join(family->q, NULL);
    pthread_join(family->r, NULL);
    pthread_join(family->s, NULL);
}

static void *p(void *argument) {
    int i = (int)(intptr_t)argument;
    if (atomic_load(&x[i]) == 1 && i < levels) {
        struct family next;
        start(&next, i + 1);
        finish(&next);
    }
    return NULL;
}

int main(int argc, char **argv) {
    levels = size_argument(argc, argv, 1, LEVELS_MAX);
    pthread_t threads[LEVELS_MAX + 1];
    struct family first;

    for (int i = 1; i <= levels; i++)
        pthread_create(&threads[i], NULL, p, (void *)(intptr_t)i);
    start(&first, 1);
    for (int i = 1; i <= levels; i++)
        pthread_join(threads[i], NULL);
    finish(&first);
    return 0;
}
