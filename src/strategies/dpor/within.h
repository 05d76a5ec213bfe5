/* within.h - DPOR within a bound on preemptions or delays: where else a race must be reversed, so that
 * every trace is found of which some execution keeps to the bound.
 *
 * The argument is an exchange. Let a state have been left by some tasks, and let an execution go on
 * from it by another one, within the bound. What a task t that was tried does there can be moved to the
 * front of that execution, unless it depends on what comes before it; and the switches cost no more
 * afterwards, if t moves by whole runs (until it cannot go on). So whatever forbids the exchange must be
 * seen as a race, in an execution that is within the bound, and add a task to the state. For that:
 *
 * - Nobody sleeps: the execution that a sleeping task stands for may be out of bound. A state is left
 *   first by what costs nothing, so that whole runs are always explored.
 * - Preemptions (002, section 5.1; Coons, Musuvathi, McKinley: Bounded Partial-Order Reduction, 2013): a
 *   race is reversed before its first step, and also where the run of that step began. There another
 *   task could have been taken at no more cost; in the middle of the run it is a preemption.
 * - Delays: it costs the same anywhere in the run. But whoever is moved to the front must not be skipped
 *   by who was there, so with a task all that come before it in the round are tried.
 * - Whether a switch costs depends on who is enabled. So a step that could enable a task races with
 *   what it would enable, if that task could have come to wait there before (`enabling`); a task that
 *   becomes blocked races where it stands; and with delays, where everybody who is enabled counts,
 *   everything is tried before a step that creates or enables somebody, or could. */
#ifndef STRATEGIES_DPOR_WITHIN_H
#define STRATEGIES_DPOR_WITHIN_H

#include "strategies/switches.h"
#include "strategies/dpor/history.h"

struct within {
    struct bound bound;
    struct history *history; /* borrowed */
    struct pending *pending; /* scratch: a state */
    uint32_t pending_capacity;
    uint32_t *steps; /* scratch */
    uint32_t step_capacity;
};

void within_init(struct within *within, const struct options *options, struct history *history);

static inline bool within_bounds(const struct within *within) {
    return switches_cost(&within->bound);
}

/* The state before that step, as a choice; holds until the next call. */
struct choice within_state(struct within *within, uint32_t step);

/* What it costs to let that task, which is enabled, move in the state before that step. */
uint32_t within_cost(struct within *within, uint32_t step, uint32_t task);

/* Where the run of this step began. */
uint32_t within_run(struct within *within, uint32_t step);

/* Did the step make another task able to move, or could it in another order? */
bool within_enables(const struct within *within, uint32_t step);

/* Adds the races of those who cannot move in the last state, but could before it or came to it. */
void within_add_blocked(struct within *within);

/* The step is a join: `race` with the end of its task. False if it is none, or had to wait anyway. */
bool within_join(const struct within *within, uint32_t step, struct race *race);

/* Does the race count? One that cannot be reversed does if its second task came there in between. */
bool within_counts(const struct within *within, const struct race *race);

/* The first steps of what leads to the second of a race from the state before `step`, which is the first
 * one or where its run began: the number of them, in within->steps. None if it needs nothing. */
uint32_t within_initials(struct within *within, const struct race *race, uint32_t step);

#endif
