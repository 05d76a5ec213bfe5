/* bounded.h - a strategy around another one, which sees only what stays within a bound. */
#ifndef STRATEGIES_BOUNDED_H
#define STRATEGIES_BOUNDED_H

#include "engine/strategy.h"

/* `inner`, wrapped if the options ask for a bound on switches (switches.h). Takes it. */
struct strategy *bounded(struct pool *pool, struct strategy *inner, const struct options *options);

#endif
