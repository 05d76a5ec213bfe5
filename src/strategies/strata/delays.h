/* delays.h - the search of ses, for others that begin like it. */
#ifndef STRATEGIES_STRATA_DELAYS_H
#define STRATEGIES_STRATA_DELAYS_H

#include "strategies/delaying.h"
#include "strategies/strata/search.h"

/* The cost's own part of a state. */
struct delays {
    struct prescribed prescribed;
    struct delaying delaying; /* last: only so much of it is kept as is in use */
};

void delays_init(struct search *self, struct pool *pool, const struct options *options);

#endif
