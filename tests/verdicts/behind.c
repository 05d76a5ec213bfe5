/* behind.c - an assertion that fails in the fourth step.
 *
 * Two tasks, each of two atomic steps: x = 1, y = 1 by the one; r = y, s = x by main, which fails if r is 0 and s is 1.
 * With the creation, an order that fails has four steps (create; r = y; x = 1; s = x), so it lies within
 * --max-steps=4: the unreduced search finds it. A reduction would learn of it by the race between x = 1 and s = x in
 * another execution, which --max-steps=4 cuts off first: it must not say that the bound was completed. */
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
