/* waiting.h - the operation that each task stands before, in every state of the execution under
 * way.
 *
 * An entry is valid from the state in which it was made until the next entry of the same task. A
 * new entry is made only where something changes. So a state costs one look at each task that may
 * have changed, and no copy of the tasks. */
#ifndef STRATEGIES_DPOR_WAITING_H
#define STRATEGIES_DPOR_WAITING_H

#include "base/pool.h"
#include "engine/system.h"
#include "event/op.h"

#define NO_STEP UINT32_MAX

struct waiting {
    uint32_t task;
    uint32_t since;    /* the first state for which the entry is valid */
    uint32_t enabler;  /* the last step after which the task was blocked here, or NO_STEP */
    uint32_t previous; /* the entry before of the same task: number + 1, 0 for none */
    uint32_t look;     /* the number of the operation as a look (engine/looks.h), or 0 */
    uint32_t op : 30;  /* the index of the operation: see waiting_op() */
    bool enabled : 1;
    bool gone : 1; /* the task does not live any more */
};

struct waitings {
    struct pool *pool; /* borrowed */
    struct waiting *entries;
    struct op *ops; /* one for all entries of a task that has not moved in between */
    uint32_t count, capacity;
    uint32_t op_count, op_capacity;
    uint32_t *latest; /* for each task, its last entry: number + 1, 0 for none */
    uint32_t task_capacity;
    uint32_t live;   /* number of tasks that live in the last state */
    uint64_t number; /* of the choice that showed the last state; 0: not known */
};

void waitings_init(struct waitings *waitings, struct pool *pool);

/* The tasks of a choice that may stand otherwise than in the last state: all of them, unless the
 * choice says more. */
struct changes {
    const uint32_t *places; /* in choice->pending; NULL: all */
    uint32_t count;
};

static inline struct changes changes_of(const struct waitings *waitings,
                                        const struct choice *choice) {
    bool follows = waitings->number != 0 && choice->number == waitings->number + 1;
    return follows ? (struct changes){choice->changed, choice->changed_count}
                   : (struct changes){NULL, choice->live};
}

static inline uint32_t changed_at(const struct changes *changes, uint32_t i) {
    return changes->places != NULL ? changes->places[i] : i;
}

/* Adds the state of that number, the one after the last. `mover` is the task that made the step to
 * this state, or NO_TASK. */
void waitings_add(struct waitings *waitings, uint32_t state, uint32_t mover,
                  const struct choice *choice);

/* Forgets the states after this one. */
void waitings_cut(struct waitings *waitings, uint32_t state);

/* The operation before which the task stands. The pointer holds until a state is added. */
static inline const struct op *waiting_op(const struct waitings *waitings,
                                          const struct waiting *entry) {
    return &waitings->ops[entry->op];
}

/* Returns NULL if the task did not live in that state. */
static inline const struct waiting *waiting_at(const struct waitings *waitings, uint32_t state,
                                               uint32_t task) {
    uint32_t at = task < waitings->task_capacity ? waitings->latest[task] : 0;
    while (at != 0 && waitings->entries[at - 1].since > state)
        at = waitings->entries[at - 1].previous;
    return at == 0 || waitings->entries[at - 1].gone ? NULL : &waitings->entries[at - 1];
}

#endif
