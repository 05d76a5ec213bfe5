/* treiber_wrong.c - Treiber's stack with nodes that are used again, and nothing against the ABA
 * problem.
 *
 * A node that a thread pops goes to its own free list. Its later pushes take nodes from there, the
 * oldest first. The thread has read node 1 as head and node 2 below it. Main pops 1 and 2, and
 * pushes a new item in node 1. The thread's compare-and-swap finds node 1 again and succeeds: it
 * takes the new item, and node 2 is back on the stack, with an item that main has already popped.
 *
 * expect: bug assertion
 *
 * The argument is the number of threads beside main. */
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#include "size.h"

enum { NOTHING, FILLED = 2, THREADS_MAX = 8, TASKS_MAX = THREADS_MAX + 1 };

/* Nodes are known by their numbers; 0 means no node. */
struct node {
    int item;
    atomic_uint below;
};

struct task {
    unsigned free[FILLED]; /* a queue of nodes; each task pops FILLED times, then pushes once */
    int freed, used;
    int item;           /* the item to push */
    int popped[FILLED]; /* the popped items, or NOTHING */
};

static struct node nodes[1 + FILLED + TASKS_MAX];
static atomic_uint head;

static void push_node(unsigned node) {
    unsigned top = atomic_load(&head);
    do
        atomic_store(&nodes[node].below, top);
    while (!atomic_compare_exchange_strong(&head, &top, node));
}

static unsigned pop_node(void) {
    unsigned top = atomic_load(&head);
    while (top != 0) {
        unsigned below = atomic_load(&nodes[top].below);
        if (atomic_compare_exchange_strong(&head, &top, below))
            break;
    }
    return top;
}

static void push(struct task *task, unsigned fresh, int item) {
    unsigned node = task->used < task->freed ? task->free[task->used++] : fresh;
    nodes[node].item = item;
    push_node(node);
}

static int pop(struct task *task) {
    unsigned node = pop_node();
    if (node == 0)
        return NOTHING;
    task->free[task->freed++] = node;
    return nodes[node].item;
}

static void *work(void *argument) {
    struct task *task = argument;
    for (int i = 0; i < FILLED; i++)
        task->popped[i] = pop(task);
    push(task, (unsigned)task->item, task->item);
    return NULL;
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 1, THREADS_MAX);
    pthread_t threads[THREADS_MAX];
    struct task tasks[TASKS_MAX] = {0};
    int taken[1 + FILLED + TASKS_MAX] = {0};

    for (int item = FILLED; item > 0; item--) {
        nodes[item].item = item;
        push_node((unsigned)item);
    }
    for (int i = 0; i <= n; i++)
        tasks[i].item = FILLED + 1 + i;
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, work, &tasks[i]);
    work(&tasks[n]);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);

    for (int i = 0; i <= n; i++)
        for (int k = 0; k < FILLED; k++)
            taken[tasks[i].popped[k]]++;
    for (int i = 0; i <= n + FILLED; i++) /* the list has no more nodes, unless it is a ring */
        taken[nodes[pop_node()].item]++;
    for (int item = 1; item <= FILLED + 1 + n; item++)
        heddle_assert(taken[item] == 1);
    return 0;
}
