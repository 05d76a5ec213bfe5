/* lost_update_wrong.c - two threads add one each, and one of the additions can get lost.
 *
 * The load and the store are atomic, but the addition is not. The other thread may write between
 * the two, and its value is then overwritten.
 *
 * expect: bug assertion
 * executions: 6
 *
 * Two steps for each thread (main is the second one): 4!/(2! 2!). In two orders no update is
 * lost. */
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
