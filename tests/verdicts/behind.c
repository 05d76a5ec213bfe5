/* behind.c - an assertion that fails in the fourth step.
 *
 * There are two tasks, each with two atomic steps. The thread does x = 1, y = 1. Main does r = y, s
 * = x, and fails if r is 0 and s is 1. With the creation, a failing order has four steps (create; r
 * = y; x = 1; s = x). So it lies within --max-steps=4, and the unreduced search finds it. A
 * reduction would learn of it from the race between x = 1 and s = x in another execution, which
 * --max-steps=4 cuts off first. So a reduction must not say that the bound was completed. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <heddle/heddle.h>

static atomic_int x, y;

static void *work(void *unused) {
    x = 1;
    y = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int r = y, s = x;
    heddle_assert(!(r == 0 && s == 1));
    pthread_join(thread, NULL);
}
