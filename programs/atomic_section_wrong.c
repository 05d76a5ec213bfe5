/* atomic_section_wrong.c - a transfer in two steps, and a look at both accounts, perhaps between
 * them.
 *
 * expect: bug assertion
 * executions: 4
 *
 * Main's section is one step: before, between or after the two steps of the thread. Between them
 * main's assertion fails, and it does so before or after the thread's second step. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int savings = 50, checking = 50;

static void *transfer(void *unused) {
    (void)unused;
    atomic_fetch_sub(&savings, 10);
    atomic_fetch_add(&checking, 10);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, transfer, NULL);
    heddle_atomic_begin();
    int total = atomic_load(&savings) + atomic_load(&checking);
    heddle_atomic_end();
    heddle_assert(total == 100);
    pthread_join(thread, NULL);
    return 0;
}
