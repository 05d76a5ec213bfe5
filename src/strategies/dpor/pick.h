/* pick.h - the decisions within an execution: which task moves next, and what is chosen within its
 * step. */
#ifndef STRATEGIES_DPOR_PICK_H
#define STRATEGIES_DPOR_PICK_H

#include "strategies/dpor/stack.h"

/* Functions of struct strategy_ops and struct strategy_hooks. */
uint32_t dpor_pick(struct strategy *base, const struct choice *choice, struct keep *keep);
bool optimal_alone(struct strategy *base, const struct pending *alone);

/* Returns true if the task that is to move next in the state of that frame waits in a loop there.
 * The plan of that frame cannot be followed then. */
bool first_is_parked(struct dpor *self, uint32_t index);

#endif
