/* atomic_section_right.c - one thread transfers money, another reads both accounts, each in an
 * atomic section.
 *
 * expect: verified
 * executions: 2
 *
 * A section is one step: two sections, in either order. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int savings = 50, checking = 50;

static void *transfer(void *unused) {
    (void)unused;
    heddle_atomic_begin();
    atomic_fetch_sub(&savings, 10);
    atomic_fetch_add(&checking, 10);
    heddle_atomic_end();
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
