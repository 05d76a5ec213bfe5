/* history.h - the execution under way as DPOR sees it: a step an element, the states between them, what
 * happened before what, and which pairs of steps race.
 *
 * It grows by one state and one step at a time and is cut back to where the next execution leaves the
 * last one; what stands before the cut is not computed again.
 *
 * Happens-before: program order, creation, the end of a task before its join, the step that made a
 * blocked task able to go on, and dependence. A *race* is a pair of dependent steps of different tasks
 * with nothing in between that could not be turned round as well, whose second one could have come
 * first. A step that the other one only waits for (an unlock before a lock) cannot: one looks through
 * it, at what stands before (the lock that it gives back). */
#ifndef STRATEGIES_DPOR_HISTORY_H
#define STRATEGIES_DPOR_HISTORY_H

#include "event/clock.h"
#include "event/lock_state.h"
#include "event/touch.h"
#include "strategies/dpor/waiting.h"

struct step {
    struct event event; /* with EVENT_FATAL if it ended the execution */
    uint32_t previous;  /* of the same task, or NO_STEP */
    uint32_t following; /* likewise */
    uint32_t enabler;   /* the step that made its task able to move, or NO_STEP */
    bool creates;       /* tasks */
    uint32_t touch_end; /* its touches end here, and those of the next begin */
};

struct move;

struct race {
    uint32_t first;             /* a step */
    uint32_t second;            /* a step, or NO_STEP: what a task stood before at the end, */
    struct event last;          /* that is, this */
    uint32_t extent;            /* dpor.c: the last step that was taken into account for it */
    const struct move *sleeper; /* cover.c: has covered it, or NULL */
    uint32_t proof;             /* cover.c: it is covered as long as this step stays, or NO_STEP */
    bool by_predicate;          /* a receive that may leave messages */
    bool unsure;                /* whether it could is not known before it stands there */
    bool alone;    /* others must be left out too: several readers keep one writer out */
    bool enabling; /* it could not: the first makes it possible. Only with keeps_enabling */
};

/* Others are named by their number + 1; 0 is none. */
struct touch {
    uint64_t key;
    uint32_t step;
    uint32_t previous; /* of the same key; likewise the next two */
    uint32_t opener;   /* all since that one happen before this; see history.c */
    uint32_t written;  /* the last one before it that does not only read */
};

struct history;

/* Does the order of this step and that event matter? The event is the step `second`, or NO_STEP: only
 * pending. For steps of two tasks. */
typedef bool history_depends(const struct history *history, uint32_t first,
                             const struct event *event, uint32_t second);

struct history {
    struct pool *pool;        /* borrowed */
    history_depends *depends; /* NULL: dependent_events() */
    void *observe;            /* for that function */
    bool late; /* what happens before what is found out at the end: by history_reorder() */
    struct step *steps;
    struct waitings waitings; /* state i is the one before steps[i] */
    struct touch *touches;
    struct lock_state *after;     /* a touch of an object each: its state then */
    uint32_t openers[TOUCH_KEYS]; /* scratch: of the touches that a step will leave */
    struct race *races;           /* by their second steps */
    uint32_t
        *clocks; /* `width` numbers a step: of each task, how many steps (of all) happened before */
    uint32_t *lasts;      /* likewise: of each task its last step + 1 before that step */
    uint32_t *last;       /* the same at the end */
    uint32_t *starts;     /* of each task its first step, or NO_STEP */
    uint32_t *born;       /* of each task the step that created it + 1 */
    uint32_t *known;      /* scratch: the clock that is being made */
    uint32_t *found;      /* scratch: steps that depend */
    uint32_t *trail;      /* scratch: steps on one object, */
    uint32_t trail_base;  /* the touch before them: number + 1, 0 for none, */
    uint32_t origin;      /* and the first of all on it */
    struct slot *slots;   /* touches by key, */
    uint32_t last_of_all; /* but for those of steps that depend on everything */
    uint32_t count, state_count, touch_count, race_count, trail_count;
    uint32_t step_capacity, touch_capacity, after_capacity, race_capacity;
    uint32_t clock_capacity, lasts_capacity, task_capacity, found_capacity, trail_capacity;
    uint32_t slot_capacity, slot_used;
    uint32_t width;
    bool keeps_enabling; /* dependent pairs that cannot be turned round are kept with the races */
};

void history_init(struct history *history, struct pool *pool);

/* Forgets all but the first `steps` steps and the states before them and after the last of them. */
void history_cut(struct history *history, uint32_t steps);

/* The state after the last step. */
void history_add_state(struct history *history, const struct choice *choice);

/* The step that was made in the last state; its races are added. */
void history_add_step(struct history *history, const struct event *event);

/* The last step created this task. */
void history_add_task(struct history *history, uint32_t task);

/* Finds out anew what happens before what, and all races. */
void history_reorder(struct history *history);

/* Is this a join that depends on nothing but what happens before it in any case: the creation and the end of
 * the task that it joins? */
bool history_joins_freely(const struct history *history, const struct op *op);

/* What a task stands before at the end of the execution takes part in races. */
void history_add_pending(struct history *history, uint32_t task, const struct op *op);

/* Does that step of that task happen before the other, or are they one? */
static inline bool history_knows(const struct history *history, uint32_t step, uint32_t task,
                                 uint32_t before) {
    return history->clocks[(size_t)step * history->width + task] > before;
}

/* The same by the steps alone. */
static inline bool happens_before(const struct history *history, uint32_t first, uint32_t second) {
    return history_knows(history, second, history->steps[first].event.task, first);
}

/* The first step of the task from `last` on, which is 0 or one more than a step of it; NO_STEP for none. */
static inline uint32_t history_next(const struct history *history, uint32_t task, uint32_t last) {
    return last > 0 ? history->steps[last - 1].following : history->starts[task];
}

/* Does none of these steps, one a task, happen before that one, which is among them? */
static inline bool history_is_first(const struct history *history, uint32_t step,
                                    const uint32_t *steps) {
    const uint32_t *clock = history->clocks + (size_t)step * history->width;
    return clock_row_above(clock, steps, history->width) == 1; /* that is itself */
}

/* Does this event depend on none of the steps that do not happen after `first`, those of each task from
 * `from` on? */
bool history_is_free(const struct history *history, const struct event *event, uint32_t first,
                     const uint32_t *from);

/* The last touch of a synchronisation object: number + 1, 0 for none. */
uint32_t history_last_touch(const struct history *history, uint64_t object);

/* What the task stood before in the state before that step; NULL if it did not live. */
static inline const struct waiting *history_waiting(const struct history *history, uint32_t step,
                                                    uint32_t task) {
    return waiting_at(&history->waitings, step, task);
}

/* The second of a race as it would be in place of the first: EVENT_AHEAD if what would come of it is
 * not known. */
struct event history_predict(struct history *history, const struct race *race);

/* Must this step, which does not happen after the first of the race, be left out with it? */
bool history_in_the_way(const struct history *history, uint32_t step, const struct race *race);

/* Is there a reason why this step comes before that event, which is no step yet, beside other steps?
 * `race` is where the event comes from. */
bool history_leads_to(const struct history *history, uint32_t step, const struct race *race,
                      const struct event *event);

#endif
