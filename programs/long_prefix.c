/* long_prefix(n, m) - n rounds in which two threads take turns by semaphores: only one order is
 * possible. Then the same as readers(m): one task writes x, m tasks read it once, 2^m traces. The
 * rounds are common to all executions, so the work for each execution should not depend on n.
 *
 * expect: verified
 * executions: 44
 *
 * n = 3, m = 2: the rounds leave no choice. The rest is readers(2); see readers.c. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "size.h"

enum { ROUNDS_MAX = 10000, READERS_MAX = 16 };

static sem_t ping, pong;
static atomic_int x;

static void *partner(void *rounds) {
    for (int i = 0; i < *(int *)rounds; i++) {
        sem_wait(&ping);
        sem_post(&pong);
    }
    return NULL;
}

static void take_turns(int rounds) {
    pthread_t other;
    sem_init(&ping, 0, 0);
    sem_init(&pong, 0, 0);
    pthread_create(&other, NULL, partner, &rounds);
    for (int i = 0; i < rounds; i++) {
        sem_post(&ping);
        sem_wait(&pong);
    }
    pthread_join(other, NULL);
}

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
    int n = size_argument(argc, argv, 3, ROUNDS_MAX);
    int m = size_argument(argc - 1, argv + 1, 2, READERS_MAX);
    pthread_t threads[READERS_MAX + 1];

    take_turns(n);
    pthread_create(&threads[0], NULL, writer, NULL);
    for (int i = 1; i <= m; i++)
        pthread_create(&threads[i], NULL, reader, NULL);
    for (int i = 0; i <= m; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
