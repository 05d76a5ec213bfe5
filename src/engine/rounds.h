/* rounds.h - the tasks that go round in the longest execution: they come by the same few places
 * again and again.
 *
 * A loop that waits and changes nothing is parked. A loop whose changes cancel each other (lock,
 * try, unlock), or that counts, is not parked. So executions get longer and longer, and the search
 * need not end. If an execution is longer than all before by a quarter, its second half is
 * examined. The result is for readers, and for the default strategy, which leaves a search whose
 * executions get longer and longer (leaving.h).
 *
 * Left out, because there is no room: tasks that come by many places, and all but the first few
 * tasks. */
#ifndef ENGINE_ROUNDS_H
#define ENGINE_ROUNDS_H

#include <stdbool.h>

#include "execution/execution.h"

enum {
    ROUNDS_TASKS = 8,
    ROUNDS_PLACES = 32,
    ROUNDS_STEPS = 100, /* shorter executions are not examined */
    ROUNDS_MIN = 5      /* this often counts as again and again */
};

struct rounds_place {
    uint64_t pc;
    uint32_t count; /* how often the task came by */
    uint8_t kind;   /* enum op_kind */
};

struct rounds_task {
    uint32_t task;
    uint32_t place_count;
    struct rounds_place places[ROUNDS_PLACES]; /* in the order in which the task first came there */
};

/* In the session. The tasks are read only when the search is over. */
struct rounds {
    uint32_t first_steps; /* the length of the first execution */
    uint32_t steps;       /* the length of the examined execution */
    uint64_t execution;   /* its number, from 1 */
    uint32_t task_count; /* the tasks that go round there; each has only the places of its rounds */
    struct rounds_task tasks[ROUNDS_TASKS];
};

/* Examines the execution with this number. It may still be under way, or its process may have
 * died. */
void rounds_look(struct rounds *rounds, const struct execution *execution, uint64_t number);

/* A task goes round, in an execution that is much longer than the first one. The number of rounds
 * depends on the order, and may have no limit. */
bool rounds_grow(const struct rounds *rounds);

/* Keeps the longest execution of two workers. */
void rounds_merge(struct rounds *into, const struct rounds *from);

#endif
