/* bounded.h - a strategy around another one, which shows that one only options within a bound. */
#ifndef STRATEGIES_BOUNDED_H
#define STRATEGIES_BOUNDED_H

#include "engine/strategy.h"

/* Returns `inner`, wrapped if the options ask for a bound on switches (switches.h). Owns `inner`
 * from then on. */
struct strategy *bounded(const struct strategy_context *context, struct strategy *inner);

#endif
