/* strategies.c - the table behind strategies.h. */
#include "strategies/strategies.h"

#include <string.h>

#include "engine/options.h"

const struct strategy_info *const strategies[] = {
#define STRATEGY(name) &name##_strategy,
#include "strategies/strategies.def"
#undef STRATEGY
    NULL,
};

const struct strategy_info *strategy_named(const char *name) {
    for (const struct strategy_info *const *at = strategies; *at != NULL; at++)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}

const struct strategy_info *strategy_deciding(const struct options *options) {
    switch (options->mode) {
    case MODE_EXPLORE: return strategy_named(options->strategy);
    case MODE_REPLAY: return &replay_strategy;
    case MODE_CORPUS: return &corpus_strategy;
    case MODE_MINIMISE: return &minimise_strategy;
    case MODE_SIMULATE: return &interactive_strategy;
    }
    return NULL;
}

bool strategy_compares_states(const struct strategy_info *info, const struct options *options) {
    return strategy_has(info, GOES_BY_STATES) ||
           (strategy_has(info, HAS_MEMBERS) && options->races != RACES_REPORT);
}
