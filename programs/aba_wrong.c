/* aba_wrong.c - a lock-free stack, and the ABA problem.
 *
 * The thread has seen node 1 at the top and node 2 below it. Main pops both, keeps node 2, and
 * pushes node 1 again. The thread's compare-and-swap still finds node 1, succeeds, and puts node 2
 * on the stack, although main owns it.
 *
 * expect: bug assertion */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Nodes are known by their numbers; 0 means no node. At first the stack holds node 1 and, below it,
 * node 2. */
static atomic_uint next[3] = {0, 2, 0};
static atomic_uint head = 1;

static unsigned node_of(unsigned top) {
    return top;
}

static unsigned successor(unsigned top, unsigned node) {
    (void)top;
    return node;
}

static unsigned pop(void) {
    unsigned top = atomic_load(&head);
    while (node_of(top) != 0) {
        unsigned below = atomic_load(&next[node_of(top)]);
        if (atomic_compare_exchange_strong(&head, &top, successor(top, below)))
            return node_of(top);
    }
    return 0;
}

static void push(unsigned node) {
    unsigned top = atomic_load(&head);
    do
        atomic_store(&next[node], node_of(top));
    while (!atomic_compare_exchange_strong(&head, &top, successor(top, node)));
}

static void *taker(void *unused) {
    (void)unused;
    pop();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, taker, NULL);
    unsigned first = pop();
    unsigned second = pop();
    if (first != 0)
        push(first);
    pthread_join(thread, NULL);
    heddle_assert(second == 0 || node_of(atomic_load(&head)) != second);
    return 0;
}
