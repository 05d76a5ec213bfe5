/* exit_leak_right.c - a thread that ends early by pthread_exit() unlocks first.
 *
 * expect: verified
 * executions: 4
 *
 * Thread: lock, look, unlock. Main: one store. 4!/(3! 1!). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool stop;
static int work;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    if (atomic_load(&stop)) {
        pthread_mutex_unlock(&lock);
        pthread_exit(NULL);
    }
    work++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    return 0;
}
