/* A cancelled waiter holds the mutex when its cleanup handlers run, and consumes no signal. If two
 * tasks wait, one of them is cancelled and there is one signal, the other can always be woken.
 * expect: verified */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turn = PTHREAD_COND_INITIALIZER;
static int inside, handlers;

static void leave(void *unused) {
    (void)unused;
    heddle_assert(inside == 0);
    inside++;
    handlers++;
    inside--;
    pthread_mutex_unlock(&lock);
}

static void *sleeper(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(leave, NULL);
    for (;;)
        pthread_cond_wait(&turn, &lock);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, sleeper, NULL);
    pthread_mutex_lock(&lock);
    inside++;
    pthread_cond_signal(&turn);
    pthread_cancel(thread);
    inside--;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, &result);
    heddle_assert(result == PTHREAD_CANCELED && handlers == 1);
    return 0;
}
