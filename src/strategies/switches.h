/* switches.h - what it costs to let a task move, by the bound of the search.
 *
 * Both bounds charge what leaves a deterministic scheduler: each task goes on as long as it can, then
 * the next one in the order of their numbers, round and round. A task that gives way by itself (yield,
 * sleep, waiting for a signal until a time-out) goes to the end of the round. 002, chapter 5.
 *
 *   preemptions  the turn is taken from a task that could go on: 1
 *   delays       each enabled task that is skipped: 1
 *
 * With any other bound, or none, switches are free. */
#ifndef STRATEGIES_SWITCHES_H
#define STRATEGIES_SWITCHES_H

#include "engine/bound.h"
#include "engine/system.h"

bool switches_cost(const struct bound *bound);

/* The option of a schedule that the scheduler would take: it costs nothing. */
uint32_t switch_first(const struct choice *choice);

uint32_t switch_cost(const struct bound *bound, const struct choice *choice, uint32_t option);

/* Nobody would be preempted: the task that moved last does not want to go on, or cannot. */
bool switch_is_free(const struct choice *choice);

#endif
