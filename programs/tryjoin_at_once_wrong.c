/* tryjoin_at_once_wrong.c - main assumes that a thread that does nothing ends at once.
 *
 * expect: bug assertion */
#define _GNU_SOURCE
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

static void *worker(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    heddle_assert(pthread_tryjoin_np(thread, NULL) == 0);
    return 0;
}
