/* switches.h - what it costs to let a task move, by the bound of the search.
 *
 * Both bounds charge departures from a deterministic scheduler. With that scheduler each task goes
 * on as long as it can; then comes the next task in the order of their numbers, round and round. A
 * task that gives way by itself (by a yield, a sleep, or waiting for a signal until a time-out)
 * goes to the end of the round. See 002, chapter 5.
 *
 *   preemptions  1 if the turn is taken from a task that could go on
 *   delays       1 for each enabled task that is skipped
 *
 * With any other bound, or none, switches are free. */
#ifndef STRATEGIES_SWITCHES_H
#define STRATEGIES_SWITCHES_H

#include "engine/bound.h"
#include "engine/system.h"

bool switches_cost(const struct bound *bound);

/* Returns the option of a schedule that the scheduler would take. It costs nothing. */
uint32_t switch_first(const struct choice *choice);

uint32_t switch_cost(const struct bound *bound, const struct choice *choice, uint32_t option);

/* Returns true if no task would be preempted: the task that moved last does not want to go on, or
 * cannot. */
bool switch_is_free(const struct choice *choice);

#endif
