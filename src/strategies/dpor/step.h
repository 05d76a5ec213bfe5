/* step.h - completes the step under way: its move, which was a plan, gets the event and the choices
 * that have happened, and the history gets the move. */
#ifndef STRATEGIES_DPOR_STEP_H
#define STRATEGIES_DPOR_STEP_H

#include "strategies/dpor/stack.h"

/* Returns true if a step was picked that has not been added to the history yet. */
static inline bool step_is_open(const struct dpor *self) {
    return self->at > self->history.count;
}

/* Completes the step of the top frame. `fatal` says that the step ended the execution. */
void complete_step(struct dpor *self, bool fatal);

#endif
