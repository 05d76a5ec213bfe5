/* divergence_first.c - main waits for a plain variable, and no other task moves meanwhile.
 *
 * expect: bug divergence
 * options: --step-timeout=300ms
 * findings: 1
 *
 * The loop runs in the step that creates the thread. It is interrupted at another place each time,
 * so the execution cannot go on after it. Therefore the search is not complete. */
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
