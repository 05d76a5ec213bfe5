/* divide_wrong.c - an average: the program checks the divisor, then reads it again and uses it.
 *
 * Between the two reads it may become zero.
 *
 * expect: bug crash
 * executions: 3
 *
 * One store; one load, and a second load unless the first one finds zero. The store comes before,
 * between or after. */
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
    return atomic_load(&samples) != 0 ? sum / atomic_load(&samples) : 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reset, NULL);
    int result = average(100);
    heddle_assert(result == 25 || result == 0);
    pthread_join(thread, NULL);
    return 0;
}
