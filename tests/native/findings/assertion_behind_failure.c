/* assertion_behind_failure.c - main always fails, and the thread fails after some operations of its
 * own.
 *
 * expect: bug assertion
 * findings: 2
 * complete: true
 *
 * Main fails in the step that creates the thread. The actions of the thread come before this
 * failure, or not at all. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int count;

static void *worker(void *unused) {
    (void)unused;
    atomic_fetch_add(&count, 1);
    atomic_fetch_add(&count, 1);
    assert(atomic_load(&count) != 2);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    assert(thread == 0);
    return 0;
}
