/* plan.h - what is planned for a race. The four strategies differ in this, and in nothing else. */
#ifndef STRATEGIES_DPOR_PLAN_H
#define STRATEGIES_DPOR_PLAN_H

#include "strategies/dpor/stack.h"

/* Plans what the race asks for in the state before its first step, unless it is there already. */
void plan(struct dpor *self, struct race *race);

/* Plans this task in the state before that step, where it could move, unless it is explored there
 * already. */
void plan_task_at(struct dpor *self, uint32_t step, uint32_t task);

/* Plans the sequences that were left out in favour of this leaf. The leaf was tried in vain, and is
 * taken out of the frame's tree already. */
void plan_spares(struct dpor *self, struct frame *frame, const struct move *leaf);

/* Within a bound on preemptions or delays (within.h), more must be planned: plan_joins() does so at
 * the end of an execution, enter_within() in a state that was not met before. */
void plan_joins(struct dpor *self);
void enter_within(struct dpor *self);

#endif
