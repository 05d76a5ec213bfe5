/* once_right.c - pthread_once() runs the initialisation once, and no thread goes on before it is
 * done.
 *
 * expect: verified */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int initialisations;

static void initialise(void) {
    atomic_fetch_add(&initialisations, 1);
}

static void *user(void *unused) {
    (void)unused;
    pthread_once(&once, initialise);
    heddle_assert(atomic_load(&initialisations) == 1);
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
