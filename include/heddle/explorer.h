/* explorer.h - a delaying explorer: a deterministic scheduler, with an operation that departs from it.
 *
 * The explorer keeps tasks in some order. In each state of the program it prescribes one task (next). To
 * delay means: not this one, another; at a cost of 1. The executions that cost nothing are searched
 * first, then those that cost 1, and so on. An explorer is good at a bug if it finds it at a low cost.
 *
 * It is told what happens: a task begins, ends, and what a step was (step). A custom one is a C file:
 *
 *     heddle run --strategy=ses --explorer=./mine.c ./test
 *
 * It must define `const struct heddle_explorer heddle_explorer`. Heddle compiles and loads it into the
 * tested program: it must call nothing but what stands here.
 *
 * Two promises, and Heddle checks the second: the explorer's state has no pointers (it is copied, byte by
 * byte, whenever the search goes back), and as many tasks as are enabled in a state are prescribed there,
 * each once, by as many delays less one. A prescribed task that is blocked is delayed without cost. */
#ifndef HEDDLE_EXPLORER_H
#define HEDDLE_EXPLORER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum heddle_step_kind {
    HEDDLE_STEP_MOVED,   /* `task` has made a step, */
    HEDDLE_STEP_SENT,    /* and sent `text`, an event, to `other` (a mailbox: to nobody, 0), */
    HEDDLE_STEP_BLOCKED, /* and cannot go on by itself */
    HEDDLE_STEP_HINT,    /* the program said heddle_hint(text) */
};

/* What a step was: MOVED first, then what else there was, in that order. */
struct heddle_step {
    enum heddle_step_kind kind;
    uint32_t task;
    uint32_t other;
    const char *text; /* the event's name, if it has one, or the hint; else NULL */
};

enum { HEDDLE_EXPLORER_STATE_MAX = 512 };

struct heddle_explorer {
    const char *name;
    const char *summary; /* which bugs it is good at, in one line */
    size_t size;         /* bytes of its state, at most HEDDLE_EXPLORER_STATE_MAX */
    void (*begin)(void *state, uint64_t seed); /* the state is all zeros; no task is there yet */
    uint32_t (*next)(const void *state);       /* who moves */
    void (*delay)(void *state);                /* somebody else */
    /* A new task; `kind` is the name of a machine's type, or NULL. */
    void (*start)(void *state, uint32_t task, const char *kind);
    void (*finish)(void *state, uint32_t task);
    void (*step)(void *state, const struct heddle_step *step); /* NULL: it does not matter */
};

/* --- an order of tasks, for the state of an explorer ---------------------------------------- */

enum { HEDDLE_ORDER_MAX = 120 };

struct heddle_order {
    uint16_t count;
    uint16_t tasks[HEDDLE_ORDER_MAX]; /* who is first comes first */
};

/* Before whoever stands at `place`; with place == count, last. */
static inline void heddle_order_insert(struct heddle_order *order, uint32_t place, uint32_t task) {
    for (uint32_t i = order->count++; i > place; i--)
        order->tasks[i] = order->tasks[i - 1];
    order->tasks[place] = (uint16_t)task;
}

static inline void heddle_order_append(struct heddle_order *order, uint32_t task) {
    order->tasks[order->count++] = (uint16_t)task;
}

/* Where a task stands; count if it is not there. */
static inline uint32_t heddle_order_find(const struct heddle_order *order, uint32_t task) {
    uint32_t place = 0;
    while (place < order->count && order->tasks[place] != task)
        place++;
    return place;
}

static inline void heddle_order_remove(struct heddle_order *order, uint32_t task) {
    uint32_t place = heddle_order_find(order, task);
    if (place == order->count)
        return;
    for (order->count--; place < order->count; place++)
        order->tasks[place] = order->tasks[place + 1];
    order->tasks[order->count] = 0;
}

static inline void heddle_order_to_front(struct heddle_order *order, uint32_t task) {
    heddle_order_remove(order, task);
    heddle_order_insert(order, 0, task);
}

static inline void heddle_order_to_back(struct heddle_order *order, uint32_t task) {
    heddle_order_remove(order, task);
    heddle_order_append(order, task);
}

#endif
