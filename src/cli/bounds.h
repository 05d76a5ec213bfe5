/* bounds.h - which bound the search has, and a strategy that keeps to it. */
#ifndef CLI_BOUNDS_H
#define CLI_BOUNDS_H

#include "cli/options.h"

/* After all options were read. False after one line on stderr: they do not go together. */
bool bounds_settle(struct run_options *options, bool strategy_named_by_user);

#endif
