/* assertion_first.c - main fails on what the thread, which has no operation at all, would have written.
 *
 * expect: bug assertion data-race
 * findings: 2
 *
 * Main fails in the step that creates the thread. Before that takes effect the thread runs, and its write is
 * ordered with main's read by nothing. */
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
