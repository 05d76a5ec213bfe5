/* plan.h - what is planned for a race: the four strategies differ in this, and in nothing else. */
#ifndef STRATEGIES_DPOR_PLAN_H
#define STRATEGIES_DPOR_PLAN_H

#include "strategies/dpor/stack.h"

/* In the state before its first step, unless it is there already. */
void plan(struct dpor *self, struct race *race);

/* What counted on this leaf, which was taken out of the frame's tree since it was in vain. */
void plan_spares(struct dpor *self, struct frame *frame, const struct move *leaf);

/* Within a bound on preemptions or delays (within.h): what else matters there, at the end of an execution
 * and in a state that was not met before. */
void plan_joins(struct dpor *self);
void enter_within(struct dpor *self);

#endif
