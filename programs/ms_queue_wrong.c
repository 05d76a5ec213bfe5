/* ms_queue_wrong.c - a lock-free queue that reads its tail before it reads its head.
 *
 * Main reads the tail: the dummy. The thread enqueues an item and dequeues it again, so the head is
 * now the node of that item. Main reads the head, which differs from the tail that main has read.
 * So the queue seems to have an item, but the head has no successor. If the head were read first,
 * the tail would never be older than the head, and this could not happen.
 *
 * expect: bug crash
 *
 * The argument is the number of threads beside main. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "size.h"

enum { NOTHING, THREADS_MAX = 8 };

struct node {
    int item;
    struct node *_Atomic next;
};

static struct node nodes[1 + THREADS_MAX + 1]; /* node 0 is the dummy, node i is for item i */
static struct node *_Atomic head = &nodes[0], *_Atomic tail = &nodes[0];

static void enqueue(int item) {
    struct node *node = &nodes[item];
    node->item = item;
    for (;;) {
        struct node *last = atomic_load(&tail);
        struct node *next = NULL;
        if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
        atomic_compare_exchange_strong(&tail, &last, next);
    }
}

static int dequeue(void) {
    for (;;) {
        struct node *last = atomic_load(&tail);
        struct node *first = atomic_load(&head);
        struct node *next = atomic_load(&first->next);
        if (first == last) {
            if (next == NULL)
                return NOTHING;
            atomic_compare_exchange_strong(&tail, &last, next);
        } else {
            int item = next->item;
            if (atomic_compare_exchange_strong(&head, &first, next))
                return item;
        }
    }
}

static void *worker(void *argument) {
    enqueue((int)(intptr_t)argument);
    return (void *)(intptr_t)dequeue();
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, THREADS_MAX);
    pthread_t threads[THREADS_MAX + 1];
    int taken[1 + THREADS_MAX + 1] = {0};

    for (int i = 1; i <= n; i++)
        pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i);
    taken[dequeue()]++;
    enqueue(n + 1);
    for (int i = 1; i <= n; i++) {
        void *item;
        pthread_join(threads[i], &item);
        taken[(intptr_t)item]++;
    }
    for (int item = dequeue(); item != NOTHING; item = dequeue())
        taken[item]++;
    for (int item = 1; item <= n + 1; item++)
        heddle_assert(taken[item] == 1);
    return 0;
}
