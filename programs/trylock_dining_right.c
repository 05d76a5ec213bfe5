/* trylock_dining_right.c - two philosophers who try for the second fork and, if that fails, let go
 * of the first.
 *
 * The second attempt is in the order of the forks, and so it ends.
 *
 * expect: verified */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t forks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *philosopher(void *argument) {
    int me = (int)(intptr_t)argument;
    pthread_mutex_lock(&forks[me]);
    if (pthread_mutex_trylock(&forks[1 - me]) != 0) {
        pthread_mutex_unlock(&forks[me]);
        pthread_mutex_lock(&forks[0]);
        pthread_mutex_lock(&forks[1]);
    }
    pthread_mutex_unlock(&forks[1 - me]);
    pthread_mutex_unlock(&forks[me]);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, philosopher, (void *)(intptr_t)0);
    philosopher((void *)(intptr_t)1);
    pthread_join(thread, NULL);
    return 0;
}
