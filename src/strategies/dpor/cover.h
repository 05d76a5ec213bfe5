/* cover.h - is a race covered already, by what sleeps or is planned in the state before it?
 *
 * The sequence of a race (wakeup.h) is given by its two steps: what does not happen after the first, and
 * then the second. So with which moves it may begin can be asked of the history, and most sequences need
 * not be written down at all: they are covered. This is the short way, where it is certain: no choices,
 * nobody else left out, a second step of which the same would have come. Otherwise the answer is no, and
 * the sequence is written down and asked itself. */
#ifndef STRATEGIES_DPOR_COVER_H
#define STRATEGIES_DPOR_COVER_H

#include "strategies/dpor/stack.h"

bool surely_covered(struct dpor *self, struct race *race);

#endif
