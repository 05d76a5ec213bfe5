/* crash_in_both.c - two tasks crash, each on a stack with values that the other one reads later.
 *
 * expect: bug crash
 * findings: 2
 * complete: true
 *
 * Both stand before their ends at the same time, and neither disturbs the other. */
#include <pthread.h>
#include <stddef.h>

static int *volatile nowhere;

static void *follow(void *argument) {
    return (void *)(size_t) * (volatile int *)argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, follow, nowhere);
    return *nowhere;
}
