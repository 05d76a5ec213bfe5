/* indexer.c - n tasks insert words into one hash table.
 *
 * Task t inserts the words w = 11m + t (m = 1..4) at slot 7w mod 128 by compare-and-swap. If that
 * fails, the task tries the next slot. Tasks t and t + 11 have three words in common, so there is
 * no collision up to n = 11 (one trace). From n = 12 on there are 8^(n-11) traces.
 *
 * expect: verified
 * executions: 251
 *
 * n = 2: two tasks of four steps that always succeed. The first task and its join, five steps, and
 * the second task and its create, five steps, come in any order, except that the join cannot come
 * before the create: 10!/(5! 5!) - 1. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "size.h"

enum { INDEXER_MAX = 30, SLOTS = 128, WORDS = 4 };

static atomic_int table[SLOTS];

static void insert(int word) {
    int slot = 7 * word % SLOTS;
    for (;;) {
        int empty = 0;
        if (atomic_compare_exchange_strong(&table[slot], &empty, word))
            return;
        slot = (slot + 1) % SLOTS;
    }
}

static void *indexer(void *argument) {
    int t = (int)(intptr_t)argument;
    for (int m = 1; m <= WORDS; m++)
        insert(11 * m + t);
    return NULL;
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2, INDEXER_MAX);
    pthread_t threads[INDEXER_MAX];

    for (int t = 0; t < n; t++)
        pthread_create(&threads[t], NULL, indexer, (void *)(intptr_t)t);
    for (int t = 0; t < n; t++)
        pthread_join(threads[t], NULL);
    return 0;
}
