/* assertion_before_store.c - as assertion_first.c, but the thread writes behind an operation.
 *
 * expect: bug assertion data-race
 * findings: 2
 *
 * The thread stands before its store when main fails: it must be moved over it first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int x;
static atomic_int flag;

static void *writer(void *unused) {
    (void)unused;
    atomic_store(&flag, 1);
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    assert(x == 1);
    pthread_join(thread, NULL);
    return 0;
}
