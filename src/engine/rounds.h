/* rounds.h - who goes round in the longest execution: tasks that come by the same few places again and
 * again.
 *
 * A loop that waits and changes nothing is parked. One whose changes cancel out (lock, try, unlock), or
 * that counts, is not: executions get longer and longer, and the search need not end. Of each execution
 * that is longer than all before, by a quarter, the second half is looked at. This is for readers;
 * nothing is decided by it.
 *
 * Left out: what has no room, of a task that comes by many places or of many tasks. */
#ifndef ENGINE_ROUNDS_H
#define ENGINE_ROUNDS_H

#include <stdbool.h>

#include "trace/execution.h"

enum {
    ROUNDS_TASKS = 8,
    ROUNDS_PLACES = 32,
    ROUNDS_STEPS = 100, /* shorter executions are not looked at */
    ROUNDS_MIN = 5      /* so often is again and again */
};

struct rounds_place {
    uint64_t pc;
    uint32_t count; /* so often it came */
    uint8_t kind;   /* enum op_kind */
};

struct rounds_task {
    uint32_t task;
    uint32_t place_count;
    struct rounds_place places[ROUNDS_PLACES]; /* as they came first */
};

/* In the session. The tasks are read when nobody writes any more. */
struct rounds {
    uint32_t first_steps; /* of the first execution */
    uint32_t steps;       /* of the one that was looked at, */
    uint64_t execution;   /* which is the how many-th, from 1 */
    uint32_t task_count;  /* who goes round there, with the places of that alone */
    struct rounds_task tasks[ROUNDS_TASKS];
};

/* An execution of the search, the `number`-th; it may still be under way, or have died. */
void rounds_look(struct rounds *rounds, const struct execution *execution, uint64_t number);

/* Somebody goes round, in an execution much longer than the first: how often depends on the order, and
 * there may be no end to it. */
bool rounds_grow(const struct rounds *rounds);

#endif
