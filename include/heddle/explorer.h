/* explorer.h - how to write a delaying explorer: a deterministic scheduler that can be made to
 * depart from its order.
 *
 * An explorer keeps the tasks in some order. In each state of the program it prescribes one task,
 * which should move next. A delay, at a cost of 1, makes it prescribe another task instead. The
 * search tries the executions that need no delay first, then those that need one delay, and so on.
 * An explorer is good at a bug if few delays are enough to find it.
 *
 * Heddle tells the explorer when a task begins, when a task ends, and what each step did. You can
 * write an explorer of your own as a C file:
 *
 *     heddle run --strategy=ses --explorer=./mine.c ./test
 *
 * The file must define `const struct heddle_explorer heddle_explorer`. Heddle compiles it and loads
 * it into the tested program. It must not call anything that is not declared in this header.
 *
 * An explorer must keep two rules. Heddle checks the second one.
 * 1. The state of the explorer has no pointers. It is copied byte by byte whenever the search goes
 *    back to an earlier state.
 * 2. If n tasks are enabled in a state, then n - 1 delays in that state prescribe each of them
 *    exactly once. (If the prescribed task is blocked, Heddle calls delay() without counting a
 *    cost.) */
#ifndef HEDDLE_EXPLORER_H
#define HEDDLE_EXPLORER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum heddle_step_kind {
    HEDDLE_STEP_MOVED,   /* `task` has made a step */
    HEDDLE_STEP_SENT,    /* `task` sent an event to the task `other` (0: into a mailbox) */
    HEDDLE_STEP_BLOCKED, /* `task` is blocked after its step */
    HEDDLE_STEP_HINT,    /* `task` called heddle_hint(text) */
};

/* One fact about the last step. Each step is reported as MOVED first, then as any of the other
 * kinds that apply, in the order of the enum. */
struct heddle_step {
    enum heddle_step_kind kind;
    uint32_t task;
    uint32_t other;
    const char *text; /* the name of the event, or the text of the hint; NULL if there is none */
};

enum { HEDDLE_EXPLORER_STATE_MAX = 512 };

struct heddle_explorer {
    const char *name;
    const char *summary; /* the bugs that this explorer finds early, in one line */
    size_t size;         /* bytes of its state, at most HEDDLE_EXPLORER_STATE_MAX */
    /* Called first, with a state of zeros and before any task has started. */
    void (*begin)(void *state, uint64_t seed);
    uint32_t (*next)(const void *state); /* returns the task that should move next */
    void (*delay)(void *state);          /* makes `next` return another task */
    /* Called when a task has been created. `kind` is the type's name if the task is a machine, else
     * NULL. */
    void (*start)(void *state, uint32_t task, const char *kind);
    void (*finish)(void *state, uint32_t task);
    void (*step)(void *state, const struct heddle_step *step); /* may be NULL */
};

/* --- a list of tasks in order, which most explorers keep as their state --------------------- */

enum { HEDDLE_ORDER_MAX = 120 };

struct heddle_order {
    uint16_t count;
    uint16_t tasks[HEDDLE_ORDER_MAX]; /* the task that comes first in the order is tasks[0] */
};

/* Inserts a task before the one at `place`. If place == count, the task becomes the last. */
static inline void heddle_order_insert(struct heddle_order *order, uint32_t place, uint32_t task) {
    for (uint32_t i = order->count++; i > place; i--)
        order->tasks[i] = order->tasks[i - 1];
    order->tasks[place] = (uint16_t)task;
}

static inline void heddle_order_append(struct heddle_order *order, uint32_t task) {
    order->tasks[order->count++] = (uint16_t)task;
}

/* Returns the position of a task, or `count` if it is not in the list. */
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
