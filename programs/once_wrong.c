/* once_wrong.c - a home-made once: look at a flag, initialise, set the flag.
 *
 * expect: bug assertion
 * executions: 20
 *
 * Look, initialise, set: three steps each, 6!/(3! 3!) orders. If one thread is done before the
 * other one looks, the other one stops after its look. These are the two orders that are right. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool done;
static atomic_int initialisations;

static void initialise(void) {
    atomic_fetch_add(&initialisations, 1);
}

static void *user(void *unused) {
    (void)unused;
    if (!atomic_load(&done)) {
        initialise();
        atomic_store(&done, true);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, user, NULL);
    user(NULL);
    pthread_join(thread, NULL);
    heddle_assert(atomic_load(&initialisations) == 1);
    return 0;
}
