/* strategies.c - the table behind strategies.h. */
#include "strategies/strategies.h"

#include <string.h>

const struct strategy_ops *const strategies[] = {
    &dfs_strategy,
    &persistent_strategy,
    &classic_strategy,
    &source_strategy,
    &optimal_strategy,
    &observers_strategy,
    &ses_strategy,
    &ses_ss_strategy,
    &preemption_bounding_strategy,
    &depth_bounding_strategy,
    &ss_strategy,
    &random_strategy,
    &random_deepening_strategy,
    &pct_strategy,
    &portfolio_strategy,
    &replay_strategy,
    &interactive_strategy,
    NULL,
};

const struct strategy_ops *strategy_named(const char *name) {
    for (const struct strategy_ops *const *at = strategies; *at != NULL; at++)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}

const char *strategy_strata(const struct strategy_ops *strategy) {
    return strategy != NULL && strategy->strata != NULL ? strategy->strata : "delays";
}
