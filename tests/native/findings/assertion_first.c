/* assertion_first.c - main fails because the thread has not yet written a variable. The thread has
 * no operation at all.
 *
 * expect: bug assertion data-race
 * findings: 2
 *
 * Main fails in the step that creates the thread. Before the failure takes effect, the thread runs.
 * Nothing orders its write and main's read. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *writer(void *unused) {
    (void)unused;
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
