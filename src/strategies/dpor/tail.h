/* tail.h - the joins of a task that is alone: put off, and left out if the execution ends with them.
 *
 * Most programs end so. Such a join races with nothing: what it waits for is over, and nobody else has
 * touched the task that it joins. So nothing is ever planned in the state before it, and whether it is in
 * a planned sequence or comes after that makes no difference: a move is a weak initial of both or of
 * neither. If something follows after all, the steps that were put off are made up for. */
#ifndef STRATEGIES_DPOR_TAIL_H
#define STRATEGIES_DPOR_TAIL_H

#include "strategies/dpor/stack.h"

/* Is the step that comes now such a join, and all since the last one in the history? */
bool tail_takes(const struct dpor *self, const struct choice *choice);

/* Puts it off. */
void tail_add(struct dpor *self, const struct pending *pending);

/* Puts off the one that comes now, too, if it is such a join after others. */
bool tail_goes_on(struct dpor *self, const struct pending *pending);

/* Makes up for all. The last one is left open; false if there is none. */
bool tail_catch_up(struct dpor *self);

/* The execution has ended: leaves them out. False if there is nothing to be left out. */
bool tail_drop(struct dpor *self);

#endif
