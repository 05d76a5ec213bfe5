/* trylock_dining_right.c - two philosophers try to take the second fork and, if that fails, put the
 * first one back.
 *
 * The second attempt takes the forks in their order, so it succeeds.
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
