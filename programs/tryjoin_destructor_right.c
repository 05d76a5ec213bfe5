/* tryjoin_destructor_right.c - a thread that was joined has run the destructors of its keys. A
 * thread that was not joined may have run them, too.
 *
 * The worker stores (S), its destructor stores (D), and the worker ends (E). Main tries to join
 * (Y). If that fails, main loads (L) and joins (J); else it only loads (L). There are five steps
 * without J, which comes at the end: S D E and Y L have 5! / (3! 2!) = 10 orders. In one of them Y
 * comes after E, and there L is the last step in any case.
 *
 * expect: verified
 * executions: 10 */
#define _GNU_SOURCE
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_key_t key;
static atomic_int progress;

static void destroy(void *unused) {
    (void)unused;
    atomic_store(&progress, 2);
}

static void *worker(void *unused) {
    (void)unused;
    pthread_setspecific(key, &progress);
    atomic_store(&progress, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, NULL, worker, NULL);
    if (pthread_tryjoin_np(thread, NULL) == 0) {
        heddle_assert(atomic_load(&progress) == 2);
        return 0;
    }
    heddle_assert(atomic_load(&progress) <= 2);
    pthread_join(thread, NULL);
    return 0;
}
