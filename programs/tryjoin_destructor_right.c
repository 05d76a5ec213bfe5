/* tryjoin_destructor_right.c - a thread that was joined has run the destructors of its keys; one that was not may
 * have run them, too.
 *
 * The worker stores (S), its destructor stores (D), and it ends (E). Main tries to join (Y); if that fails it loads
 * (L) and joins (J), else it loads (L). Five steps without J, which comes at the end: of the 5! / (3! 2!) = 10 orders
 * of S D E with Y L one has Y after E, and then L comes last in any case.
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
