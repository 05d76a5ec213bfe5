/* philosophers.c - n dining philosophers with n forks; each one eats once (seed 003, Fig. 1).
 *
 * Each philosopher waits for the left fork, waits for the right fork, and puts both back. If all
 * hold their left fork, none can go on: this is the only deadlock. As in 003, the system starts
 * when all processes exist. So main starts the others in one atomic section, and is itself the last
 * philosopher. No thread is joined.
 *
 * expect: bug deadlock
 * executions: 4
 *
 * n = 2: a philosopher with both forks keeps the other one out until both are put back (the fork
 * that is put back last is the other one's left fork). So either one eats after the other, 2
 * orders, or each has taken the left fork, 2 orders, and that is the deadlock. 2 * (8 + 1) = 18
 * transitions. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#include "size.h"

enum { PHILOSOPHERS_MAX = 16 };

static sem_t forks[PHILOSOPHERS_MAX];

/* The argument holds both numbers, i and n of the i-th of n, so that only the forks are shared. */
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
    pthread_exit(NULL); /* not `return`, which would end the process and all other philosophers */
}
