/* philosophers.c - n dining philosophers, n forks, each eats once (seed 003, Fig. 1).
 *
 * Each waits for the left fork, waits for the right one, and puts both back. When all hold their
 * left fork nobody can go on: the one deadlock. As in 003 the system starts when all processes
 * exist: main starts the others in one atomic section and is itself the last philosopher, and
 * nothing is joined.
 *
 * expect: bug deadlock
 * executions: 4
 *
 * n = 2: who has both forks keeps the other out until all is put back (its left fork is put back
 * last by the other). So either one eats after the other, 2 orders, or each has taken the left
 * fork, 2 orders, and that is the deadlock. 2 * (8 + 1) = 18 transitions. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#include "size.h"

enum { PHILOSOPHERS_MAX = 16 };

static sem_t forks[PHILOSOPHERS_MAX];

/* The argument is both numbers, so that nothing is shared but the forks: i-th of n. */
static void *philosopher(void *argument) {
    int i = (int)((intptr_t)argument % PHILOSOPHERS_MAX);
    int n = (int)((intptr_t)argument / PHILOSOPHERS_MAX);
    sem_t *left = &forks[i];
    sem_t *right = &forks[(i + 1) % n];

    sem_wait(left);
    sem_wait(right);
    sem_post(left);
    sem_post(right);
    return NULL;
}

static void *seat(int i, int n) {
    return (void *)(intptr_t)(n * PHILOSOPHERS_MAX + i);
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2, PHILOSOPHERS_MAX - 1);
    for (int i = 0; i < n; i++)
        sem_init(&forks[i], 0, 1);

    heddle_atomic_begin();
    for (int i = 0; i < n - 1; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, philosopher, seat(i, n));
    }
    heddle_atomic_end();

    philosopher(seat(n - 1, n));
    pthread_exit(NULL); /* and not `return`, which would end the meal of the others */
}
