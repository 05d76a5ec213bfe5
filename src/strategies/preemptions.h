/* preemptions.h - a strategy around another one, which sees only what stays within a bound. */
#ifndef STRATEGIES_PREEMPTIONS_H
#define STRATEGIES_PREEMPTIONS_H

#include "engine/strategy.h"

/* Takes `inner`. bound >= 0. */
struct strategy *preemptions_wrap(struct pool *pool, struct strategy *inner, int32_t bound);

/* `inner`, wrapped if the options ask for a bound. */
struct strategy *preemptions_bound(struct pool *pool, struct strategy *inner,
                                   const struct options *options);

#endif
