/* future.h - what a task may still do, by what it was seen to do so far, and persistent sets made
 * of that.
 *
 * For each task it is known which operations the task has ever stood before, and after how many of
 * its own steps at most. If the task has made more steps, it is assumed not to come to that
 * operation again. As soon as future_see() says that something is new, the caller must begin the
 * search again.
 *
 * Why this is sound: imagine that every task stops where it would do something unknown. For that
 * system the knowledge is right, so its persistent sets lead to each of its last states. Among
 * these are the states in which a task stands before something unknown, and future_see() would have
 * reported one. So there is no such state. */
#ifndef STRATEGIES_FUTURE_H
#define STRATEGIES_FUTURE_H

#include "base/pool.h"
#include "engine/system.h"
#include "event/op.h"

struct known {
    struct op op;
    uint32_t last; /* largest number of steps of its task before it */
    bool fatal;    /* the execution ended in this operation */
};

struct task_future {
    struct known *known;
    uint32_t count, capacity;
    uint32_t steps;     /* number of steps made in this execution */
    uint64_t execution; /* number of the last execution in which the task lived */
    uint64_t member;    /* number of the last set of which the task is a member */
};

struct future {
    struct pool *pool; /* borrowed */
    struct task_future *tasks;
    uint32_t task_count, task_capacity;
    uint64_t execution, set;
};

void future_init(struct future *future, struct pool *pool);
void future_begin(struct future *future);

/* Adds a state of the execution. Returns true if something is new. */
bool future_see(struct future *future, const struct choice *choice);

/* Notes that this task makes its step. */
void future_step(struct future *future, uint32_t task);

/* The last step of this task has ended the execution for all tasks. Returns true if that is new. */
bool future_see_fatal(struct future *future, uint32_t task);

/* Makes a persistent set of tasks that has the task of this option; all tasks, if no smaller set is
 * known to be persistent. */
void future_persistent(struct future *future, const struct choice *choice, uint32_t option);

static inline bool future_member(const struct future *future, uint32_t task) {
    return future->tasks[task].member == future->set;
}

#endif
