/* tail.h - the joins of a task that is alone. They are put off, and left out if the execution ends
 * with them, as with most programs.
 *
 * Such a join races with nothing: the task that it waits for has ended, and no other task has
 * touched that one. So nothing is ever planned in the state before the join. Whether the join is
 * part of a planned sequence or comes after it makes no difference: a move is a weak initial of
 * both or of neither. If another step follows after all, the joins that were put off are added to
 * the history first. */
#ifndef STRATEGIES_DPOR_TAIL_H
#define STRATEGIES_DPOR_TAIL_H

#include "strategies/dpor/stack.h"

/* Returns true if the next step is such a join, and so are all steps since the last one in the
 * history. */
bool tail_takes(const struct dpor *self, const struct choice *choice);

/* Puts that join off. */
void tail_add(struct dpor *self, const struct pending *pending);

/* Puts off the next step, too, if it is such a join and others were put off. Returns whether it
 * was. */
bool tail_goes_on(struct dpor *self, const struct pending *pending);

/* Adds the joins that were put off to the history, except the last, which is left open. Returns
 * false if there are none. */
bool tail_catch_up(struct dpor *self);

/* Call this when the execution has ended: leaves the joins out. Returns false if there are none to
 * be left out. */
bool tail_drop(struct dpor *self);

#endif
