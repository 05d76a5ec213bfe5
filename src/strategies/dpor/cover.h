/* cover.h - is a race covered already, by a move that sleeps or is planned in the state before it?
 *
 * The two steps of a race determine its sequence (wakeup.h): the steps that do not happen after the
 * first, and then the second. So the history can say with which moves the sequence may begin, and
 * the sequence need not be written down for that. Most sequences are covered. Of the others only
 * what is left goes into the tree.
 *
 * This is a short way for cases where the answer is certain: no step has choices, only the first
 * step is left out, no step is idle, and the second step would have come out the same. In all other
 * cases plan.c writes the sequence down and asks the sequence itself. */
#ifndef STRATEGIES_DPOR_COVER_H
#define STRATEGIES_DPOR_COVER_H

#include "strategies/dpor/stack.h"

enum cover {
    COVERED,
    COVER_ADDED,   /* the race was not covered, and its sequence was added to the tree */
    COVER_UNKNOWN, /* the answer is not certain, and nothing was done */
};

enum cover cover_race(struct dpor *self, struct race *race);

#endif
