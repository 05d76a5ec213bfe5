/* cover.h - is a race covered already, by what sleeps or is planned in the state before it?
 *
 * The sequence of a race (wakeup.h) is given by its two steps: what does not happen after the first, and
 * then the second. So with which moves it may begin can be asked of the history, and it need not be written
 * down for that: most are covered, and of the others only what is left goes into the tree. This is the
 * short way, where it is certain: no choices, nobody else left out, nobody idle, a second step of which the
 * same would have come. Otherwise the sequence is written down, and asked itself. */
#ifndef STRATEGIES_DPOR_COVER_H
#define STRATEGIES_DPOR_COVER_H

#include "strategies/dpor/stack.h"

enum cover {
    COVERED,
    COVER_ADDED,   /* it was not, so it was added to the tree */
    COVER_UNKNOWN, /* and nothing was done */
};

enum cover cover_race(struct dpor *self, struct race *race);

#endif
