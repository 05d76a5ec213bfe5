/* mcs_lock_wrong.c - a queue lock whose release takes "no successor yet" for "no successor".
 *
 * The holder sees no successor. Before it empties the queue, another thread makes itself the tail,
 * behind the holder. The holder's store to the tail overwrites that entry. So the lock is never
 * handed over, and the other thread waits forever.
 *
 * expect: bug livelock
 *
 * The argument is the number of threads beside main. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#include "size.h"

enum { THREADS_MAX = 8 };

struct waiter {
    struct waiter *_Atomic next;
    atomic_bool waits;
};

static struct waiter *_Atomic tail;
static int counter;

static void acquire(struct waiter *self) {
    atomic_store(&self->next, NULL);
    atomic_store(&self->waits, true);
    struct waiter *before = atomic_exchange(&tail, self);
    if (before == NULL)
        return;
    atomic_store(&before->next, self);
    while (atomic_load(&self->waits))
        continue;
}

static void release(struct waiter *self) {
    struct waiter *after = atomic_load(&self->next);
    if (after == NULL) {
        atomic_store(&tail, NULL);
        return;
    }
    atomic_store(&after->waits, false);
}

static void *worker(void *argument) {
    struct waiter *self = argument;
    acquire(self);
    counter++;
    release(self);
    return NULL;
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, THREADS_MAX);
    pthread_t threads[THREADS_MAX];
    static struct waiter waiters[THREADS_MAX + 1];

    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, worker, &waiters[i]);
    worker(&waiters[n]);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    heddle_assert(counter == n + 1);
    return 0;
}
