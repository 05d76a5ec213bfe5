/* timed_join_right.c - a join whose deadline has passed may fail, even after the thread has done
 * its work.
 *
 * The same three orders as in tryjoin_right.c.
 *
 * expect: verified
 * executions: 3 */
#define _GNU_SOURCE
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

static atomic_bool done;

static void *worker(void *unused) {
    (void)unused;
    atomic_store(&done, true);
    return NULL;
}

int main(void) {
    const struct timespec past = {.tv_sec = 1};
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    int error = pthread_timedjoin_np(thread, NULL, &past);
    heddle_assert(error == 0 || error == ETIMEDOUT);
    if (error == ETIMEDOUT) /* a join without a deadline waits */
        heddle_assert(pthread_timedjoin_np(thread, NULL, NULL) == 0);
    heddle_assert(done);
    return 0;
}
