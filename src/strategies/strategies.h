/* strategies.h - all strategies: the rows of strategies.def, and those that decide in a mode of
 * their own. */
#ifndef STRATEGIES_STRATEGIES_H
#define STRATEGIES_STRATEGIES_H

#include "engine/options.h"
#include "engine/strategy.h"

#define STRATEGY(name) extern const struct strategy_info name##_strategy;
#include "strategies/strategies.def"
#undef STRATEGY

extern const struct strategy_info replay_strategy;      /* replay.c */
extern const struct strategy_info corpus_strategy;      /* corpus.c */
extern const struct strategy_info minimise_strategy;    /* minimise/minimise.c */
extern const struct strategy_info interactive_strategy; /* interactive.c */

/* The strategies that search, ended by NULL. */
extern const struct strategy_info *const strategies[];

/* Returns NULL if no strategy of the list has that name. */
const struct strategy_info *strategy_named(const char *name);

/* Returns the strategy that decides in a session with these options. If the session explores, it is
 * the one that the options name. Otherwise the mode decides. */
const struct strategy_info *strategy_deciding(const struct options *options);

/* Returns true if this strategy compares states. Then it matters what is left on stacks. */
bool strategy_compares_states(const struct strategy_info *info, const struct options *options);

#endif
