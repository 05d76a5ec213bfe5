/* sleep_sync_wrong.c - main waits for the thread by sleeping long enough.
 *
 * There is no long enough.
 *
 * expect: bug assertion
 * executions: 4
 *
 * One store; sleep, load, and the failure if there was no store before the load. The store comes before the
 * sleep, the load or the failure, or not at all. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_bool started;

static void *server(void *unused) {
    (void)unused;
    atomic_store(&started, true);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, server, NULL);
    sleep(1);
    heddle_assert(atomic_load(&started));
    pthread_join(thread, NULL);
    return 0;
}
