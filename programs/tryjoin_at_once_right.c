/* tryjoin_at_once_right.c - a thread without any operation may have ended at once, or not yet.
 *
 * The thread only ends (E). Main tries to join (Y), and joins (J) if that fails: Y E J, and E Y.
 *
 * expect: verified
 * executions: 2 */
#define _GNU_SOURCE
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static void *worker(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    if (pthread_tryjoin_np(thread, NULL) == EBUSY)
        heddle_assert(pthread_join(thread, NULL) == 0);
    return 0;
}
