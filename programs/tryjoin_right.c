/* tryjoin_right.c - a thread that has done its work may not have ended yet: then main joins it.
 *
 * The worker stores (S) and ends (E). Main tries to join (Y), and joins (J) if that fails. Y can
 * come before S, between S and E, and after E; J comes after E. So there are three orders: Y S E J,
 * S Y E J, S E Y.
 *
 * expect: verified
 * executions: 3 */
#define _GNU_SOURCE
#include <errno.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool done;

static void *worker(void *unused) {
    (void)unused;
    atomic_store(&done, true);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    int error = pthread_tryjoin_np(thread, NULL);
    heddle_assert(error == 0 || error == EBUSY);
    if (error == EBUSY)
        pthread_join(thread, NULL);
    heddle_assert(done);
    return 0;
}
