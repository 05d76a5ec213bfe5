/* tail.h - the last steps of a task that is alone: joins, and then accesses of memory and operations
 * on locks. They are put off, and left out if the execution ends with them, as with most programs.
 *
 * Such a join races with nothing: the task that it waits for has ended, and no other task has
 * touched that one. Nor does another operation behind joins, if all steps of all other tasks happen
 * before it. So nothing is ever planned in the state before the step. Whether the step is part of a
 * planned sequence or comes after it makes no difference: a move is a weak initial of both or of
 * neither. If a step of another kind follows after all, the steps that were put off are added to
 * the history first. */
#ifndef STRATEGIES_DPOR_TAIL_H
#define STRATEGIES_DPOR_TAIL_H

#include "strategies/dpor/stack.h"

/* Returns true if the next step is such a step, and so are all steps since the last one in the
 * history. */
bool tail_takes(struct dpor *self, const struct choice *choice);

/* Puts that step off. */
void tail_add(struct dpor *self, const struct pending *pending);

/* Puts off the next step, too, if it is such a step and others were put off. Returns whether it
 * was. */
bool tail_goes_on(struct dpor *self, const struct pending *pending);

/* Adds the steps that were put off to the history, except the last, which is left open. Returns
 * false if there are none. */
bool tail_catch_up(struct dpor *self);

/* Call this when the execution has ended: leaves the steps out. Returns false if there are none
 * to be left out. */
bool tail_drop(struct dpor *self);

#endif
