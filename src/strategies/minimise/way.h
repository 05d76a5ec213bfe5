/* way.h - the decisions of an execution with what the schedule alone does not say, and how small it is.
 *
 * The order of smallness: fewest context switches (another task moves than the one that moved before,
 * for whatever reason), then fewest preemptions among them (the one before could have gone on), then
 * fewest tasks that move at all, then fewest steps. Only of switches it can be proven that there are
 * none with fewer; the others are the fewest that were found.
 *
 * Nobody reads a thousand steps to save two switches. So a schedule that is longer than a reader can take in (STEPS_READ)
 * pays for its length: each time that its steps double costs as much as SWITCHES_A_DOUBLING switches. Each part of a measure
 * only grows while an execution goes on, and so does its cost. */
#ifndef STRATEGIES_MINIMISE_WAY_H
#define STRATEGIES_MINIMISE_WAY_H

#include "base/pool.h"
#include "engine/system.h"

/* One decision. */
struct mark {
    uint32_t option, count;
    uint32_t task;        /* who moved; of a choice within a step, who chose */
    uint32_t before;      /* who had moved before this step, or NO_TASK */
    uint32_t events;      /* that had happened before this step */
    uint32_t switches;    /* up to here, this one too, */
    uint32_t preemptions; /* and those among them, */
    uint32_t tasks;       /* who moved at all, */
    uint32_t steps;       /* and how many */
    uint8_t tag;          /* enum choice_tag */
    bool preempts;        /* whoever moved before could have gone on */
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

/* One more decision; `events` have happened so far. */
void way_add(struct way *way, const struct choice *choice, uint32_t option, uint32_t events);

/* Who moved last, or NO_TASK. */
uint32_t way_moved(const struct way *way);
uint32_t way_switches(const struct way *way);

struct measure way_measure(const struct way *way);

/* Its switches, and what it pays for its length. */
uint32_t measure_cost(const struct measure *measure);
bool measure_is_long(const struct measure *measure);
bool measure_less(const struct measure *a, const struct measure *b);

/* This decision begins a step of another task than the one before. */
static inline bool mark_switches(const struct mark *mark) {
    return mark->tag == CHOICE_SCHEDULE && mark->before != NO_TASK && mark->before != mark->task;
}

#endif
