/* The thread in the routine of pthread_once is cancelled. The routine is not done, and the next
 * caller runs it again.
 * expect: verified */
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT, early = PTHREAD_ONCE_INIT;
static sem_t never, entered;
static int calls, early_calls, may_return;

static void early_routine(void) {
    early_calls++;
}

__attribute__((constructor)) static void before_main(void) {
    pthread_once(&early, early_routine);
}

static void routine(void) {
    calls++;
    sem_post(&entered);
    if (!may_return)
        sem_wait(&never);
}

static void *worker(void *unused) {
    (void)unused;
    pthread_once(&once, routine);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    sem_init(&entered, 0, 0);
    pthread_once(&early, early_routine);
    heddle_assert(early_calls == 1);
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&entered);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    may_return = 1;
    pthread_once(&once, routine);
    pthread_once(&once, routine);
    heddle_assert(calls == 2);
    return 0;
}
