/* analyses.c - the table behind analyses.h. */
#include "analyses/analyses.h"

const struct analysis_ops *const analyses[ANALYSES] = {
    &race_analysis,
    &race_states_analysis,
    &deadlock_analysis,
    &coverage_analysis,
};
