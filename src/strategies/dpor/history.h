/* history.h - the execution under way as DPOR sees it: one element for each step, the states
 * between the steps, the happens-before relation, and the pairs of steps that race.
 *
 * The history grows by one state and one step at a time. It is cut back to where the next execution
 * leaves the last one; what stands before the cut is not computed again.
 *
 * Happens-before consists of program order, creation, the end of a task before its join, the step
 * that made a blocked task able to go on, and dependence. A *race* is a pair of dependent steps of
 * different tasks of which the second could have come first, with no other such step between the
 * two. If a step only waits for another one (a lock for an unlock), the pair cannot be turned
 * round. Then the search for races looks through that step at what stands before it (the lock that
 * is given back). */
#ifndef STRATEGIES_DPOR_HISTORY_H
#define STRATEGIES_DPOR_HISTORY_H

#include "base/hash_table.h"
#include "event/clock.h"
#include "event/lock_state.h"
#include "event/touch.h"
#include "strategies/dpor/waiting.h"

struct step {
    struct event event; /* has the flag EVENT_FATAL if it ended the execution */
    uint32_t previous;  /* the step before of the same task, or NO_STEP */
    uint32_t following; /* the next step of the same task, or NO_STEP */
    uint32_t enabler;   /* the step that made its task able to move, or NO_STEP */
    bool creates;       /* the step created tasks */
    uint32_t touch_end; /* end of its touches, where those of the next step begin */
};

struct looks;
struct move;

struct race {
    uint32_t first; /* number of the first step */
    /* number of the second step; NO_STEP: `last` was pending at the end */
    uint32_t second;
    struct event last;          /* the event of the second step, or the pending one */
    uint32_t extent;            /* plan.c: the last step that its sequence took into account */
    const struct move *sleeper; /* cover.c: the sleeping move that has covered it, or NULL */
    /* cover.c: the race is covered as long as this step stays; NO_STEP: not known */
    uint32_t proof;
    bool by_predicate; /* the second is a receive that may leave messages */
    /* whether the second could come first is known only when its task stands there */
    bool unsure;
    /* the same, since nobody knows what the operation waits for: see instead.c */
    bool untold;
    /* other steps must be left out with the first, as several readers keep out one writer */
    bool alone;
    /* the first makes the second possible, so they cannot be turned round; see keeps_enabling */
    bool enabling;
};

/* One use of a key by a step. Touches are named by their number + 1; 0 is none. */
struct touch {
    uint64_t key;
    uint32_t step;
    uint32_t previous; /* the touch before of the same key */
    /* all touches of the same key since that one happen before this one; see races.c */
    uint32_t opener;
    uint32_t written; /* the last touch before of the same key that does not only read */
};

/* A step that depends on an event. */
struct found {
    uint32_t step;
    bool first; /* it is known that the event could have come before this step */
};

struct history;

/* Returns true if the order of this step and that event matters. `second` is the step of the event,
 * or NO_STEP if it is only pending. The two belong to different tasks. */
typedef bool history_depends(const struct history *history, uint32_t first,
                             const struct event *event, uint32_t second);

enum { LASTS_DISTANCE = 8 };

struct history {
    struct pool *pool;         /* borrowed */
    history_depends *depends;  /* NULL: dependent_events() decides */
    void *observe;             /* data for that function */
    const struct looks *looks; /* borrowed; NULL: no look blocks */
    bool late;                 /* happens-before is found out at the end, by history_reorder() */
    struct step *steps;
    struct waitings waitings; /* state i is the one before steps[i] */
    struct touch *touches;
    struct lock_state *after;     /* for each touch of an object, the object's state after it */
    uint32_t openers[TOUCH_KEYS]; /* scratch: for each key of a step, the `opener` of its touch */
    struct race *races;           /* sorted by their second steps */
    /* one row of `width` numbers for each step: for each task, its last step that happens before
     * this one, or is this one: number + 1, 0 for none */
    uint32_t *clocks;
    /* one row for each LASTS_DISTANCE steps: for each task, its last step before that one + 1, or
     * 0 */
    uint32_t *lasts;
    uint32_t *last;       /* for each task, its last step + 1, or 0 */
    uint32_t *starts;     /* for each task, its first step, or NO_STEP */
    uint32_t *born;       /* for each task, the step that created it + 1, or 0 */
    uint32_t *known;      /* scratch: the clock that is being made */
    struct found *found;  /* scratch: steps that depend on an event */
    uint32_t *trail;      /* scratch: steps on one object */
    uint32_t trail_base;  /* the touch before those of the trail: number + 1, 0 for none */
    uint32_t origin;      /* the first of all steps on the object of the trail */
    uint32_t last_of_all; /* last touch of the key TOUCH_ALL: number + 1, 0 for none */
    /* The last touch of each other key: number + 1. */
    struct hash_table last_touches;
    uint32_t count, state_count, touch_count, race_count, trail_count;
    uint32_t step_capacity, touch_capacity, after_capacity, race_capacity;
    uint32_t clock_capacity, lasts_capacity, task_capacity, found_capacity, trail_capacity;
    uint32_t width;
    bool untold;         /* some operation so far does not tell what it waits for: see instead.c */
    bool keeps_enabling; /* dependent pairs that cannot be turned round are kept among the races */
};

void history_init(struct history *history, struct pool *pool);

/* Keeps only the first `steps` steps, and the states before them and after the last of them. */
void history_cut(struct history *history, uint32_t steps);

/* Adds the state after the last step. */
void history_add_state(struct history *history, const struct choice *choice);

/* Adds the step that was made in the last state, and its races. */
void history_add_step(struct history *history, const struct event *event);

/* Notes that the last step created this task. */
void history_add_task(struct history *history, uint32_t task);

/* Computes happens-before and all races again. */
void history_reorder(struct history *history);

/* Returns true if this is a join that depends only on what happens before it in any case: the
 * creation and the end of the task that it joins. */
bool history_joins_freely(const struct history *history, const struct op *op);

/* Adds the races of an operation that a task stands before at the end of the execution. */
void history_add_pending(struct history *history, uint32_t task, const struct op *op);

/* Returns true if step `before`, which belongs to `task`, happens before `step` or is the same. */
static inline bool history_knows(const struct history *history, uint32_t step, uint32_t task,
                                 uint32_t before) {
    return history->clocks[(size_t)step * history->width + task] > before;
}

/* Returns true if step `first` happens before step `second`, or is the same. */
static inline bool happens_before(const struct history *history, uint32_t first, uint32_t second) {
    return history_knows(history, second, history->steps[first].event.task, first);
}

/* Returns the next step of the task behind its step `last` - 1, or its first step if `last` is 0.
 * NO_STEP if there is none. */
static inline uint32_t history_next(const struct history *history, uint32_t task, uint32_t last) {
    return last > 0 ? history->steps[last - 1].following : history->starts[task];
}

/* `steps` has one step of each task, and `step` is among them. Returns true if no other one of them
 * happens before it. */
static inline bool history_is_first(const struct history *history, uint32_t step,
                                    const uint32_t *steps) {
    const uint32_t *clock = history->clocks + (size_t)step * history->width;
    return clock_row_above(clock, steps, history->width) == 1; /* the one is the step itself */
}

/* For each task, its last step before that one + 1, or 0. */
void history_lasts(const struct history *history, uint32_t step, uint32_t *lasts);

/* Returns true if the event depends on no step that is at or behind from[its task] and does not
 * happen after `first`. */
bool history_is_free(const struct history *history, const struct event *event, uint32_t first,
                     const uint32_t *from);

/* Returns the last touch with that key (event/touch.h): number + 1, 0 for none. */
uint32_t history_last_touch(const struct history *history, uint64_t key);

/* Returns what the task stood before in the state before that step; NULL if the task did not
 * live. */
static inline const struct waiting *history_waiting(const struct history *history, uint32_t step,
                                                    uint32_t task) {
    return waiting_at(&history->waitings, step, task);
}

static inline const struct op *history_op(const struct history *history,
                                          const struct waiting *waiting) {
    return waiting_op(&history->waitings, waiting);
}

/* The same operation, of a task that lived in the state before that step. */
static inline const struct op *history_op_at(const struct history *history, uint32_t step,
                                             uint32_t task) {
    return history_op(history, history_waiting(history, step, task));
}

/* Returns true if this step, which does not happen after the first of the race, must be left out
 * with it. */
bool history_in_the_way(const struct history *history, uint32_t step, const struct race *race);

/* Returns true if there is a direct reason why this step comes before that event, which is not a
 * step yet. `race` is the race that the event comes from. */
bool history_leads_to(const struct history *history, uint32_t step, const struct race *race,
                      const struct event *event);

#endif
