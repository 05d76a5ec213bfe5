/* divide_right.c - an average: the program reads the divisor once, checks it and uses it.
 *
 * expect: verified
 * executions: 2
 *
 * One store, one load, in either order. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int samples = 4;

static void *reset(void *unused) {
    (void)unused;
    atomic_store(&samples, 0);
    return NULL;
}

static int average(int sum) {
    int count = atomic_load(&samples);
    return count != 0 ? sum / count : 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reset, NULL);
    int result = average(100);
    heddle_assert(result == 25 || result == 0);
    pthread_join(thread, NULL);
    return 0;
}
