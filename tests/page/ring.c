/* ring.c - five philosophers who all take their left fork first: a cycle of five. Three of them
 * hold a napkin that a guest waits for. So there are guests beside the cycle, and main, which joins
 * the first thread. */
#include <pthread.h>
#include <stddef.h>

enum { PHILOSOPHERS = 5 };

static pthread_mutex_t forks[PHILOSOPHERS], napkins[PHILOSOPHERS];

static void *guest(void *napkin) {
    pthread_mutex_lock(napkin);
    pthread_mutex_unlock(napkin);
    return NULL;
}

static void *philosopher(void *number) {
    long own = (long)number, next = (own + 1) % PHILOSOPHERS;
    pthread_t thread;
    pthread_mutex_lock(&napkins[own]);
    if (own % 2 == 0)
        pthread_create(&thread, NULL, guest, &napkins[own]);
    pthread_mutex_lock(&forks[own]);
    pthread_mutex_lock(&forks[next]);
    pthread_mutex_unlock(&forks[next]);
    pthread_mutex_unlock(&forks[own]);
    pthread_mutex_unlock(&napkins[own]);
    if (own % 2 == 0)
        pthread_join(thread, NULL);
    return NULL;
}

int main(void) {
    pthread_t threads[PHILOSOPHERS];
    for (long i = 0; i < PHILOSOPHERS; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
