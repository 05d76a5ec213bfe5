/* future.h - what a task may still do, by what was seen of it so far; and persistent sets made of that.
 *
 * Known is, of each task, before which operations it has ever stood, and after how many steps of its own
 * at the latest. A task that has made more steps will not do it any more: so it is assumed, until it is
 * seen to. Whoever relies on it must begin again when future_see() says that something is new.
 *
 * Then this is sound: let every task stop where it would do something unknown. Of that system the
 * knowledge is right, so its persistent sets lead to each of its last states, also to those in which
 * somebody stands before something unknown; that would have been seen. So nobody ever does. */
#ifndef STRATEGIES_FUTURE_H
#define STRATEGIES_FUTURE_H

#include "base/pool.h"
#include "engine/system.h"

struct known {
    struct op op;
    uint32_t last; /* steps of its task before it, at most */
    bool fatal;    /* the execution ended in it */
};

struct task_future {
    struct known *known;
    uint32_t count, capacity;
    uint32_t steps;     /* made in this execution */
    uint64_t execution; /* the last one in which it lived */
    uint64_t member;    /* of the set that is being made */
};

struct future {
    struct pool *pool; /* borrowed */
    struct task_future *tasks;
    uint32_t task_count, task_capacity;
    uint64_t execution, set;
};

void future_init(struct future *future, struct pool *pool);
void future_begin(struct future *future);

/* A state of the execution. True: something is new. */
bool future_see(struct future *future, const struct choice *choice);

/* This task makes its step. */
void future_step(struct future *future, uint32_t task);

/* The execution ended in the last step of this task, for all of them. True: that is new. */
bool future_see_fatal(struct future *future, uint32_t task);

/* Makes a persistent set of tasks that holds the one of this option; everybody if nothing less is
 * known to be one. */
void future_persistent(struct future *future, const struct choice *choice, uint32_t option);

static inline bool future_member(const struct future *future, uint32_t task) {
    return future->tasks[task].member == future->set;
}

#endif
