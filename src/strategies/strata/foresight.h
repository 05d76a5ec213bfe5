/* foresight.h - options that need not be taken, because it is known where they lead.
 *
 * Most transitions of a search by states lead to a state that was visited before. The system knows
 * the outcome of many steps without making them (struct system_ops, foresee). So the search asks
 * for the next state first. If that was visited, the option is over, and is only counted. If all
 * options that a state has left are like this, the state is not put aside again.
 *
 * Left out, so that these options are taken: steps by which the search learns of cycles and ends
 * (ends.h); searches that remember more than states, or that forget some. */
#ifndef STRATEGIES_STRATA_FORESIGHT_H
#define STRATEGIES_STRATA_FORESIGHT_H

#include "strategies/strata/search.h"

struct foresight {
    bool seen;        /* the option leads to a state that was visited before */
    bool others_seen; /* and so do all others that were not taken */
};

/* Of an option of the state at hand, which counts as taken. */
struct foresight foresight_of(const struct search *self, const struct choice *choice,
                              uint32_t option);

#endif
