/* two_mutexes_right.c - one condition variable, always used with the same mutex.
 *
 * expect: verified */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *waiter(void *mutex) {
    pthread_mutex_lock(mutex);
    while (!ready)
        pthread_cond_wait(&event, mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, waiter, &lock);
    pthread_create(&second, NULL, waiter, &lock);
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_cond_broadcast(&event);
    pthread_mutex_unlock(&lock);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
