/* bounds.h - decides which bound the search has, and finds a strategy that keeps to it. */
#ifndef CLI_BOUNDS_H
#define CLI_BOUNDS_H

#include "cli/options/options.h"

/* Called after all options were read. Returns false after one line on stderr if they contradict
 * each other. */
bool bounds_settle(struct run_options *options, bool strategy_named_by_user);

/* Whether the bound that was settled goes with this strategy. */
bool bounds_go_with(const struct run_options *options, const struct strategy_info *strategy);

#endif
