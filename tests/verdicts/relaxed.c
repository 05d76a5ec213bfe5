/* relaxed.c - relaxed accesses of two tasks. Heddle explores them as if they were seq_cst, and the
 * first line says so. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <heddle/heddle.h>

static atomic_int x;

static void *work(void *unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    heddle_assert(atomic_load_explicit(&x, memory_order_relaxed) < 2);
    pthread_join(thread, NULL);
}
