/* A loop around a timed wait polls. The search ends, and the loop sees a flag that was set without
 * a signal.
 * expect: verified */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int done;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct timespec deadline = {2000000000, 0};
    int tries = 0;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    while (!done)
        pthread_cond_timedwait(&never, &lock, &deadline);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    /* This loop counts its rounds, so it does not merely wait. */
    pthread_mutex_lock(&lock);
    while (tries < 5) {
        pthread_cond_timedwait(&never, &lock, &deadline);
        tries++;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}
