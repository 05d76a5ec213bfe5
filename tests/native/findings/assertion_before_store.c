/* assertion_before_store.c - like assertion_first.c, but the thread writes after an operation.
 *
 * expect: bug assertion data-race
 * findings: 2
 *
 * The thread stands before its store when main fails. The tool must first move it over this
 * store. */
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
