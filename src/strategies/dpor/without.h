/* without.h - what an object would have been without a step and all that happens after it. The
 * wanted steps on the object are its *trail*. They are applied once more to the state before them.
 *
 * Left out: the steps of a trail are applied as they happened. None of them would have gone another
 * way, because such a step happens after the missing one. */
#ifndef STRATEGIES_DPOR_WITHOUT_H
#define STRATEGIES_DPOR_WITHOUT_H

#include "strategies/dpor/history.h"

/* Returns the state of the object without that step. If `alone`, later steps are missing as well,
 * except those that happen before the task's last step. Otherwise only the steps that happen after
 * it are missing. Afterwards history->origin is NO_STEP if no step has touched the object. */
struct lock_state state_without(struct history *history, uint32_t without, uint64_t object,
                                bool alone, uint32_t task);

/* Returns the state of the object after the steps of that task only. */
struct lock_state state_of_own(struct history *history, uint64_t object, uint32_t task);

/* Leaves in history->trail the steps on the object that do not happen after that step, latest
 * first. */
void collect_without(struct history *history, uint32_t without, uint64_t object);

/* Returns true if the task has ended, and would have ended without that step. */
bool ended_without(const struct history *history, uint32_t without, uint32_t task);

#endif
