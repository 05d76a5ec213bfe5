/* two_mutexes_wrong.c - two threads wait on one condition variable at the same time, each with its
 * own mutex.
 *
 * POSIX leaves this undefined, even if the thread that wakes them holds both mutexes, as here.
 *
 * expect: bug sync-misuse */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
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
    pthread_create(&first, NULL, waiter, &left);
    pthread_create(&second, NULL, waiter, &right);
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    ready = true;
    pthread_cond_broadcast(&event);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
