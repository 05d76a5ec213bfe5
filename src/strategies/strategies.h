/* strategies.h - the strategies by name. A new one is a file here and a row in strategies.c. */
#ifndef STRATEGIES_STRATEGIES_H
#define STRATEGIES_STRATEGIES_H

#include "engine/strategy.h"

extern const struct strategy_ops dfs_strategy;        /* dfs.c */
extern const struct strategy_ops persistent_strategy; /* persistent.c */
extern const struct strategy_ops classic_strategy;    /* dpor/dpor.c */
extern const struct strategy_ops source_strategy;
extern const struct strategy_ops optimal_strategy;
extern const struct strategy_ops observers_strategy;
extern const struct strategy_ops ses_strategy;                 /* strata/delays.c */
extern const struct strategy_ops ses_ss_strategy;              /* strata/frontier.c */
extern const struct strategy_ops preemption_bounding_strategy; /* strata/preemptions.c */
extern const struct strategy_ops depth_bounding_strategy;      /* strata/depth.c */
extern const struct strategy_ops ss_strategy;                  /* ss.c */
extern const struct strategy_ops random_strategy;              /* random.c */
extern const struct strategy_ops random_deepening_strategy;    /* random_deepening.c */
extern const struct strategy_ops pct_strategy;                 /* pct.c */
extern const struct strategy_ops portfolio_strategy;           /* portfolio.c */
extern const struct strategy_ops replay_strategy;              /* replay.c */
extern const struct strategy_ops corpus_strategy;
extern const struct strategy_ops minimise_strategy;    /* minimise/minimise.c */
extern const struct strategy_ops interactive_strategy; /* interactive.c */

/* All of them, ended by NULL. */
extern const struct strategy_ops *const strategies[];

/* NULL if there is none of that name. */
const struct strategy_ops *strategy_named(const char *name);
/* The unit of its strata, or of what it draws samples by. */
const char *strategy_strata(const struct strategy_ops *strategy);

#endif
