/* flockfile: two lines stay together, the lock nests, and printf inside it does not deadlock.
 *
 * Main locks and unlocks L L' U' U, the thread l l' u' u. The stream's lock lets one of them in at
 * a time: 2 orders.
 * expect: verified
 * executions: 2 */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdio.h>

static int inside;

static void *worker(void *unused) {
    (void)unused;
    flockfile(stdout);
    flockfile(stdout);
    heddle_assert(inside++ == 0);
    printf("one, ");
    funlockfile(stdout);
    printf("two\n");
    heddle_assert(--inside == 0);
    funlockfile(stdout);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    heddle_assert(ftrylockfile(stderr) == 0);
    funlockfile(stderr);
    return 0;
}
