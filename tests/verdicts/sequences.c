/* sequences.c - a release store, followed by a relaxed store of the same thread. An acquire load
 * sees the second store. In C11 the release sequence goes on, so the data are published. In C++20
 * it has ended, and the accesses to the data race. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <heddle/heddle.h>

static atomic_int flag;
static int data;

static void *work(void *unused) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        heddle_assert(data == 1);
    pthread_join(thread, NULL);
}
