/* chase_lev_right.c - a work-stealing deque (Chase and Lev): the owner works at one end, thieves at
 * the other.
 *
 * The owner pushes and pops at the bottom, thieves steal at the top. They meet only at the last
 * item: there the owner must win the compare-and-swap on the top, too.
 *
 * expect: verified
 *
 * The argument is the number of thieves. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "size.h"

#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef POPS
#define POPS ITEMS /* by the owner, while the thieves are at work; it takes the rest afterwards */
#endif
enum { NOTHING, THIEVES_MAX = 8 };

static atomic_int slots[ITEMS]; /* a ring buffer, which is never full here */
/* there are bottom - top items; within a pop the difference may be -1 */
static atomic_int top, bottom;

static void push(int item) {
    int b = atomic_load(&bottom);
    atomic_store(&slots[b % ITEMS], item);
    atomic_store(&bottom, b + 1);
}

static int pop(void) {
    int b = atomic_load(&bottom) - 1;
    atomic_store(&bottom, b); /* a thief that comes from now on does not take item b */
    int t = atomic_load(&top);
    if (t < b)
        return atomic_load(&slots[b % ITEMS]);
    int item = NOTHING;
    if (t == b && atomic_compare_exchange_strong(&top, &t, t + 1))
        item = atomic_load(&slots[b % ITEMS]);
    atomic_store(&bottom, b + 1);
    return item;
}

static int steal(void) {
    int t = atomic_load(&top);
    if (t >= atomic_load(&bottom))
        return NOTHING;
    int item = atomic_load(&slots[t % ITEMS]);
    return atomic_compare_exchange_strong(&top, &t, t + 1) ? item : NOTHING;
}

static void *thief(void *unused) {
    (void)unused;
    return (void *)(intptr_t)steal();
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, THIEVES_MAX);
    pthread_t thieves[THIEVES_MAX];
    int taken[ITEMS + 1] = {0};

    for (int i = 0; i < n; i++)
        pthread_create(&thieves[i], NULL, thief, NULL);
    for (int item = 1; item <= ITEMS; item++)
        push(item);
    for (int i = 0; i < POPS; i++)
        taken[pop()]++;
    for (int i = 0; i < n; i++) {
        void *item;
        pthread_join(thieves[i], &item);
        taken[(intptr_t)item]++;
    }
    for (int i = POPS; i < ITEMS; i++)
        taken[pop()]++;
    for (int item = 1; item <= ITEMS; item++)
        heddle_assert(taken[item] == 1);
    return 0;
}
