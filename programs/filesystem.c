/* filesystem.c - n tasks allocate blocks to inodes; each inode and each block has a lock.
 *
 * Task t locks inode i = t mod 32. If the inode has no block yet, the task looks from block 2i mod
 * 26 on for one that is not busy. Up to n = 13 no two tasks meet (one trace). From n = 14 on, task
 * t and task t - 13 start at the same block: 2^(n-13) traces.
 *
 * expect: verified
 * executions: 48619
 *
 * n = 2: two tasks of eight steps that never meet. The first task and its join, nine steps, and the
 * second task and its create, nine steps, come in any order, except that the join cannot come
 * before the create: 18!/(9! 9!) - 1. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "size.h"

enum { FILESYSTEM_MAX = 39, INODES = 32, BLOCKS = 26 };

static pthread_mutex_t inode_locks[INODES], block_locks[BLOCKS];
static atomic_int inodes[INODES]; /* the number of the inode's block, plus 1; 0 means no block */
static atomic_bool busy[BLOCKS];

static void allocate(int i) {
    for (int b = 2 * i % BLOCKS;; b = (b + 1) % BLOCKS) {
        pthread_mutex_lock(&block_locks[b]);
        bool is_free = !atomic_load(&busy[b]);
        if (is_free) {
            atomic_store(&busy[b], true);
            atomic_store(&inodes[i], b + 1);
        }
        pthread_mutex_unlock(&block_locks[b]);
        if (is_free)
            return;
    }
}

static void *worker(void *argument) {
    int i = (int)(intptr_t)argument % INODES;

    pthread_mutex_lock(&inode_locks[i]);
    if (atomic_load(&inodes[i]) == 0)
        allocate(i);
    pthread_mutex_unlock(&inode_locks[i]);
    return NULL;
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2, FILESYSTEM_MAX);
    pthread_t threads[FILESYSTEM_MAX];

    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_locks[i], NULL);
    for (int b = 0; b < BLOCKS; b++)
        pthread_mutex_init(&block_locks[b], NULL);
    for (int t = 0; t < n; t++)
        pthread_create(&threads[t], NULL, worker, (void *)(intptr_t)t);
    for (int t = 0; t < n; t++)
        pthread_join(threads[t], NULL);
    return 0;
}
