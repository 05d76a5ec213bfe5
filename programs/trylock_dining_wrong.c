/* trylock_dining_wrong.c - two philosophers try to take the second fork again and again, and keep
 * the first one.
 *
 * Both are busy, and neither makes any progress.
 *
 * expect: bug livelock
 * counts: vary; a compiler that peels the first round off the loop makes another place of it */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t forks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *philosopher(void *argument) {
    int me = (int)(intptr_t)argument;
    pthread_mutex_lock(&forks[me]);
    while (pthread_mutex_trylock(&forks[1 - me]) != 0)
        sched_yield();
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
