/* lost_update_wrong.c - two threads add one each, and one of the additions can get lost.
 *
 * Loading and storing are atomic, adding is not: between the two the other thread may write,
 * and what it wrote is overwritten.
 *
 * expect: bug assertion
 * executions: 6
 *
 * Two steps for each thread (main is the second one): 4!/(2! 2!), two of which keep both. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter;

static void *add_one(void *unused) {
    (void)unused;
    int old = atomic_load(&counter);
    atomic_store(&counter, old + 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add_one, NULL);
    add_one(NULL);
    pthread_join(thread, NULL);
    heddle_assert(atomic_load(&counter) == 2);
    return 0;
}
