/* hidden.c - a failing assertion behind a data race.
 *
 * The task writes `ready` and then `value`, main reads `value` and then `ready`, all of them plain. If main reads
 * between the two writes, it fails. Both tasks do that in one step each, since plain accesses are no operations: so
 * without race detection (--races=ignore) main sees both writes or none. By --races=report the race is the bug, by
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
