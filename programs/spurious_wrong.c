/* spurious_wrong.c - a wait without a loop. No other thread could take the event away between the
 * signal and the wake-up. So the program is right unless a thread wakes up without a signal, which
 * POSIX allows.
 *
 * expect: bug assertion
 * options: --spurious-wakeups */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static bool done;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    done = true;
    pthread_cond_signal(&finished);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    if (!done)
        pthread_cond_wait(&finished, &lock);
    heddle_assert(done);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
