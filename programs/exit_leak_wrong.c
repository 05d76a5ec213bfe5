/* exit_leak_wrong.c - a thread that ends early by pthread_exit() forgets the lock that it holds.
 *
 * expect: bug leaked-lock
 * executions: 4
 *
 * Thread: lock, look, and unlock unless it was told to stop. Main: one store. The store comes at
 * two places before the look, which leaks the lock, and at two places after it. */
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
