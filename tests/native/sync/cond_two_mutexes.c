/* Two tasks wait on one condition variable with different mutexes.
 * expect: bug sync-misuse
 * text: with another mutex */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *waiter(void *lock) {
    pthread_mutex_lock(lock);
    pthread_cond_wait(&never, lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, &locks[0]);
    waiter(&locks[1]);
    return 0;
}
