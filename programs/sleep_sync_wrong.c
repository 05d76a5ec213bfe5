/* sleep_sync_wrong.c - main waits for the thread by sleeping for a while.
 *
 * No time is long enough to be safe.
 *
 * expect: bug assertion
 * executions: 4
 *
 * Thread: one store. Main: sleep, load, and the failure if the load saw no store. The store comes
 * before the sleep, before the load, before the failure, or not at all. */
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
