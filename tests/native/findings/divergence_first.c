/* divergence_first.c - main waits for a plain variable, and nobody else moves meanwhile.
 *
 * expect: bug divergence
 * options: --step-timeout=300ms
 * findings: 1
 *
 * The loop takes place in the step that creates the thread. Where it is interrupted is another place each time, so
 * nothing goes on behind it; and therefore the search is not complete. */
#include <pthread.h>
#include <stddef.h>

static int x;

static void *writer(void *unused) {
    (void)unused;
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    while (x == 0)
        __asm__ volatile("" : : : "memory");
    pthread_join(thread, NULL);
    return 0;
}
