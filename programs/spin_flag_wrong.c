/* spin_flag_wrong.c - main lowers the flag and then spins until the thread has raised it.
 *
 * If the thread was fast, main lowers the flag after the thread has raised it, and then waits
 * forever.
 *
 * expect: bug livelock
 * counts: vary; a temporary of the compiler may make the first round of the loop another one */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool ready;
static int data;

static void *producer(void *unused) {
    (void)unused;
    data = 42;
    atomic_store(&ready, true);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, producer, NULL);
    atomic_store(&ready, false);
    while (!atomic_load(&ready))
        continue;
    heddle_assert(data == 42);
    pthread_join(thread, NULL);
    return 0;
}
