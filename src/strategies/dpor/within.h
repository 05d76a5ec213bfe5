/* within.h - DPOR within a bound on preemptions or delays: where else a race must be reversed, so
 * that every trace is found of which some execution keeps to the bound.
 *
 * The argument is an exchange. Suppose that some tasks were tried in a state, and that an execution
 * within the bound goes on from it by another task. Let t be one of the tasks that were tried. What
 * t does in that execution can be moved to its front, unless it depends on what comes before it.
 * Afterwards the switches cost no more, if t moves by whole runs (until it cannot go on). So
 * whatever forbids the exchange must show up as a race, in an execution within the bound, and add a
 * task to the state. For that:
 *
 * - No move sleeps: the execution that a sleeping move stands for may be out of bound. The first
 *   task that leaves a state is one that costs nothing, so that whole runs are always explored.
 * - Preemptions (002, section 5.1; Coons, Musuvathi, McKinley: Bounded Partial-Order Reduction,
 *   2013): a race is reversed before its first step, and also where the run of that step began.
 *   There another task could have been taken at no more cost; in the middle of the run that is a
 *   preemption.
 * - Delays: the cost is the same anywhere in the run. But a task that is moved to the front must
 *   not be skipped in favour of one that was there. So all tasks that come before it in the round
 *   are tried, too.
 * - The cost of a switch depends on which tasks are enabled. So a step that could enable a task
 *   races with the operation that it would enable, if the task could have come to wait there before
 *   that step (`enabling`). A task that becomes blocked races where it stands. With delays, where
 *   all enabled tasks count, everything is tried before a step that creates or enables a task, or
 *   could enable one. */
#ifndef STRATEGIES_DPOR_WITHIN_H
#define STRATEGIES_DPOR_WITHIN_H

#include "strategies/switches.h"
#include "strategies/dpor/history.h"

struct within {
    struct bound bound;
    struct history *history; /* borrowed */
    struct pending *pending; /* scratch: the tasks of a state */
    uint32_t pending_capacity;
    uint32_t *steps; /* scratch: result of within_initials() */
    uint32_t step_capacity;
};

void within_init(struct within *within, const struct options *options, struct history *history);

static inline bool within_bounds(const struct within *within) {
    return switches_cost(&within->bound);
}

/* Returns the state before that step, as a choice that holds until the next call. */
struct choice within_state(struct within *within, uint32_t step);

/* Returns the cost of letting that enabled task move in the state before that step. */
uint32_t within_cost(struct within *within, uint32_t step, uint32_t task);

/* Returns the step with which the run of this step began. */
uint32_t within_run(struct within *within, uint32_t step);

/* Returns true if the step made another task able to move, or could in another order. */
bool within_enables(const struct within *within, uint32_t step);

/* Adds the races of tasks that cannot move in the last state, but could before it, or have just
 * come there. */
void within_add_blocked(struct within *within);

/* If the step is a join, sets `race` to its race with the end of the joined task. Returns false if
 * the step is not a join, or had to wait in any case. */
bool within_join(const struct within *within, uint32_t step, struct race *race);

/* Returns true if the race counts. A race that cannot be reversed counts if its second task came to
 * its operation only after the first step. */
bool within_counts(const struct within *within, const struct race *race);

/* Finds the first steps of what leads from the state before `step` to the second step of a race.
 * `step` is the first step of the race, or where the run of that one began. Returns their number;
 * they are in within->steps. There are none if the second step needs nothing. */
uint32_t within_initials(struct within *within, const struct race *race, uint32_t step);

#endif
