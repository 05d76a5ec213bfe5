/* crash_in_both.c - two tasks crash on a null pointer.
 *
 * expect: bug crash
 * findings: 2
 * complete: true
 *
 * With --keep-going each crash is an operation of its own (OP_FAIL), so both crashes can be
 * pending, and both are found. */
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
