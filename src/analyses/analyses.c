/* analyses.c - the table behind analyses.h. */
#include "analyses/analyses.h"

const struct analysis_ops *const analyses[ANALYSES] = {
    &race_analysis,
    &deadlock_analysis,
    &coverage_analysis,
};
