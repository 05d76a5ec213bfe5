/* assume_wrong.c - a test of all inputs whose assumption lets an input through that is not allowed.
 *
 * expect: bug assertion */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int stock = 2;

static void *take(void *amount) {
    atomic_fetch_sub(&stock, (int)(intptr_t)amount);
    return NULL;
}

int main(void) {
    int mine = heddle_choose(3);
    int yours = heddle_choose(3);
    heddle_assume(mine <= 2 && yours <= 2);

    pthread_t thread;
    pthread_create(&thread, NULL, take, (void *)(intptr_t)yours);
    take((void *)(intptr_t)mine);
    pthread_join(thread, NULL);
    heddle_assert(atomic_load(&stock) >= 0);
    return 0;
}
