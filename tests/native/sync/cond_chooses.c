/* A signal may wake any waiter: of two waiters, either may be the first.
 * expect: bug assertion
 * findings: 2 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int asleep, first;

static void *sleeper(void *number) {
    pthread_mutex_lock(&lock);
    asleep++;
    pthread_cond_wait(&turn, &lock);
    if (first == 0)
        first = (int)(intptr_t)number;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, sleeper, (void *)1);
    pthread_create(&two, NULL, sleeper, (void *)2);
    pthread_mutex_lock(&lock);
    heddle_assume(asleep == 2);
    pthread_cond_signal(&turn);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    heddle_assume(first != 0);
    pthread_cond_signal(&turn);
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    if (first == 1)
        heddle_assert(!"the first sleeper was woken first");
    heddle_assert(!"the second sleeper was woken first");
    return 0;
}
