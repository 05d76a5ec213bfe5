/* lost_update_right.c - two threads add one each; the addition is one atomic operation.
 *
 * The thread that comes second sees the value that the first one has written.
 *
 * expect: verified
 * executions: 2
 *
 * One step for each thread (main is the second one): 2!/(1! 1!). */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter;

static void *add_one(void *unused) {
    (void)unused;
    atomic_fetch_add(&counter, 1);
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
