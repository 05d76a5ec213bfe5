/* A condition variable is destroyed while a task sleeps on it.
 * expect: bug sync-misuse
 * text: destroy of a condition variable on which tasks wait */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never;
static int asleep;

static void *waiter(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    asleep = 1;
    pthread_cond_wait(&never, &lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_cond_init(&never, NULL);
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    heddle_assume(asleep);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&never);
    return 0;
}
