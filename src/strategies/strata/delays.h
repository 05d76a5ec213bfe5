/* delays.h - the search of ses, for other strategies that begin like it. */
#ifndef STRATEGIES_STRATA_DELAYS_H
#define STRATEGIES_STRATA_DELAYS_H

#include "strategies/strata/search.h"

/* What the cost of delays keeps for a state with options (search.h). */
struct delays {
    struct prescribed prescribed;
    struct delaying delaying; /* the last field, since only its part in use is copied */
};

void delays_init(struct search *self, const struct strategy_context *context);

#endif
