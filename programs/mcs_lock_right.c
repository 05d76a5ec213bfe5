/* mcs_lock_right.c - the queue lock of Mellor-Crummey and Scott: each thread waits at a word of its
 * own.
 *
 * A holder that releases and sees no successor must make sure, by compare-and-swap, that there is
 * none. If there is one, it is about to link itself, and the holder hands the lock over as soon as
 * it has.
 *
 * expect: verified
 * counts: vary; a temporary of the compiler may make the first round of the loop another one
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
        struct waiter *last = self;
        if (atomic_compare_exchange_strong(&tail, &last, NULL))
            return;
        while ((after = atomic_load(&self->next)) == NULL)
            continue;
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
