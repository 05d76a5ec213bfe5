/* bound.h - what it costs to let a task move, by the bound that the options ask for.
 *
 * Both bounds charge what leaves a deterministic scheduler: each task goes on as long as it can, then
 * the next one in the order of their numbers, round and round. A task that gives way by itself (yield,
 * sleep, waiting for a signal until a time-out) goes to the end of the round. 002, chapter 5.
 *
 *   preemptions  the turn is taken from a task that could go on: 1
 *   delays       each enabled task that is skipped: 1 */
#ifndef STRATEGIES_BOUND_H
#define STRATEGIES_BOUND_H

#include "engine/options.h"
#include "engine/system.h"

enum bound_kind { BOUND_NONE, BOUND_PREEMPTIONS, BOUND_DELAYS };

struct bound {
    enum bound_kind kind;
    uint32_t limit; /* of an execution */
};

struct bound bound_of(const struct options *options);

/* The option of a schedule that the scheduler would take: it costs nothing. */
uint32_t bound_first(const struct choice *choice);

uint32_t bound_cost(const struct bound *bound, const struct choice *choice, uint32_t option);

/* Any task may move here without cost: the one that moved last does not want to, or cannot. */
bool bound_is_open(const struct choice *choice);

#endif
