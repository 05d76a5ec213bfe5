/* POSIX allows destroying a condition variable as soon as all its waiters have been woken, even if
 * they have not locked the mutex again yet.
 * expect: verified */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *turn;
static int asleep, done;

static void *waiter(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    asleep++;
    while (!done)
        pthread_cond_wait(turn, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t one, two;
    turn = malloc(sizeof *turn);
    pthread_cond_init(turn, NULL);
    pthread_create(&one, NULL, waiter, NULL);
    pthread_create(&two, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    heddle_assume(asleep == 2);
    done = 1;
    pthread_cond_broadcast(turn);
    pthread_cond_destroy(turn);
    free(turn);
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
