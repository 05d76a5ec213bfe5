/* look_relaxed.c - a loop that takes a lock in order to look, and relaxed atomics, which order nothing. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;
static atomic_int looks;

static void *wait_for_it(void *unused) {
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&lock);
        seen = done;
        pthread_mutex_unlock(&lock);
    }
    atomic_load_explicit(&looks, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_it, NULL);
    atomic_store_explicit(&looks, 1, memory_order_relaxed);
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
