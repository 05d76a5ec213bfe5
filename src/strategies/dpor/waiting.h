/* waiting.h - before which operation each task stood, in every state of the execution under way.
 *
 * An entry holds from the state in which it was made up to the task's next one: there is a new one only
 * where something changes, so a state costs a look at its tasks, and no copy of them. */
#ifndef STRATEGIES_DPOR_WAITING_H
#define STRATEGIES_DPOR_WAITING_H

#include "base/pool.h"
#include "engine/system.h"

#define NO_STEP UINT32_MAX

struct waiting {
    struct op op;
    uint32_t task;
    uint32_t since;    /* a state */
    uint32_t enabler;  /* the last step that found it blocked here, or NO_STEP */
    uint32_t previous; /* of the same task: number + 1, 0 for none */
    bool enabled;
    bool gone; /* the task is no more */
};

struct waitings {
    struct pool *pool; /* borrowed */
    struct waiting *entries;
    uint32_t count, capacity;
    uint32_t *latest; /* of each task: number + 1, 0 for none */
    uint32_t task_capacity;
    uint32_t live; /* tasks, in the last state */
};

void waitings_init(struct waitings *waitings, struct pool *pool);

/* The state of that number, the one after the last; `mover` made the step to it, or NO_TASK. */
void waitings_add(struct waitings *waitings, uint32_t state, uint32_t mover,
                  const struct choice *choice);

/* Forgets the states after this one. */
void waitings_cut(struct waitings *waitings, uint32_t state);

/* NULL if the task did not live in that state. */
static inline const struct waiting *waiting_at(const struct waitings *waitings, uint32_t state,
                                               uint32_t task) {
    uint32_t at = task < waitings->task_capacity ? waitings->latest[task] : 0;
    while (at != 0 && waitings->entries[at - 1].since > state)
        at = waitings->entries[at - 1].previous;
    return at == 0 || waitings->entries[at - 1].gone ? NULL : &waitings->entries[at - 1];
}

/* An operation of this kind may wait by itself. Others do not, unless their task is parked. */
bool may_wait(enum op_kind kind);

#endif
