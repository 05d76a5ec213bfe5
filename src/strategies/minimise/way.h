/* way.h - the decisions of an execution, with what the schedule alone does not say, and how small
 * the execution is.
 *
 * The smaller of two executions has fewer context switches (a task moves that did not move before,
 * for whatever reason). If they are equal in this, it has fewer preemptions among the switches (the
 * task before could have gone on), then fewer tasks that move at all, then fewer steps. Only for
 * switches it can be proven that no execution has fewer; the other numbers are the smallest that
 * were found.
 *
 * No user reads a thousand steps to save two switches. So if a schedule is longer than a reader can
 * take in (STEPS_READ), it pays for its length: each doubling of its steps costs as much as
 * SWITCHES_A_DOUBLING switches. Each part of a measure only grows while an execution goes on, and
 * so does the cost. */
#ifndef STRATEGIES_MINIMISE_WAY_H
#define STRATEGIES_MINIMISE_WAY_H

#include "base/pool.h"
#include "engine/system.h"
#include "event/op.h"

/* One decision of the execution, and what happened up to it. */
struct mark {
    uint32_t option, count;
    uint32_t task;        /* the task that moved; within a step, the task that chose */
    uint32_t before;      /* the task that had moved before this step, or NO_TASK */
    uint32_t events;      /* number of events before this step */
    uint32_t switches;    /* number of switches up to here, with this one */
    uint32_t preemptions; /* number of preemptions among these switches */
    uint32_t tasks;       /* number of tasks that have moved */
    uint32_t steps;       /* number of steps made */
    uint8_t tag;          /* enum choice_tag */
    bool preempts;        /* the task that moved before could have gone on */
};

struct way {
    struct pool *pool; /* borrowed */
    struct mark *marks;
    uint32_t count, capacity;
};

struct measure {
    uint32_t switches, preemptions, tasks, steps;
};

enum { STEPS_READ = 128, SWITCHES_A_DOUBLING = 4 };

void way_init(struct way *way, struct pool *pool);
void way_copy(struct way *to, const struct way *from);

/* Adds one decision. `events` is the number of events so far. */
void way_add(struct way *way, const struct choice *choice, uint32_t option, uint32_t events);

/* Returns the task that moved last, or NO_TASK. */
uint32_t way_moved(const struct way *way);
uint32_t way_switches(const struct way *way);

struct measure way_measure(const struct way *way);

/* Returns the switches, plus what the execution pays for its length. */
uint32_t measure_cost(const struct measure *measure);
bool measure_is_long(const struct measure *measure);
bool measure_less(const struct measure *a, const struct measure *b);

/* Returns true if this decision begins a step of another task than the one before. */
static inline bool mark_switches(const struct mark *mark) {
    return mark->tag == CHOICE_SCHEDULE && mark->before != NO_TASK && mark->before != mark->task;
}

#endif
