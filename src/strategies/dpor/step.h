/* step.h - the step that was made: its move becomes what happened, and part of the history. */
#ifndef STRATEGIES_DPOR_STEP_H
#define STRATEGIES_DPOR_STEP_H

#include "strategies/dpor/stack.h"

/* It was picked, and is not part of the history yet. */
static inline bool step_is_open(const struct dpor *self) {
    return self->at > self->history.count;
}

/* The one of the top frame is over; `fatal`: so is the execution, by it. */
void complete_step(struct dpor *self, bool fatal);

#endif
