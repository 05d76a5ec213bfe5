/* hidden.c - a failing assertion that a data race hides.
 *
 * The thread writes `ready` and then `value`; main reads `value` and then `ready`. All accesses are
 * plain. If main reads between the two writes, its assertion fails. Plain accesses are not
 * operations, so each task makes its accesses in one step. Without race detection (--races=ignore)
 * main therefore sees both writes or none. With --races=report the race is the bug. With
 * --races=explore the assertion fails. */
#include <pthread.h>
#include <stddef.h>

#include <heddle/heddle.h>

static int ready, value;

static void *work(void *unused) {
    ready = 1;
    value = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int seen = value;
    heddle_assert(ready == seen);
    pthread_join(thread, NULL);
}
