/* backtrack.h - between two executions: from which state the next one leaves the last one. */
#ifndef STRATEGIES_DPOR_BACKTRACK_H
#define STRATEGIES_DPOR_BACKTRACK_H

#include "strategies/dpor/stack.h"

/* Finishes the moves that have nothing left to explore after them, from the top of the stack down.
 * The top frame then has a move still to be explored as the first of its tree. Returns false if no
 * frame has one: the search is over. */
bool backtrack(struct dpor *self);

#endif
