/* ms_queue_right.c - the lock-free queue of Michael and Scott.
 *
 * The queue is a list that begins with a dummy node. The tail may be one node behind; a thread that
 * finds it so moves it on. The head never overtakes the tail. Each node is used once, so there is
 * no ABA problem, and nothing needs to be checked a second time.
 *
 * expect: verified
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
        struct node *first = atomic_load(&head);
        struct node *last = atomic_load(&tail);
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
