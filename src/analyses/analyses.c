/* analyses.c - the table behind analyses.h. */
#include "analyses/analyses.h"

const struct analysis_ops *const analyses[ANALYSES] = {
#define ANALYSIS(name) &name##_analysis,
#include "analyses/analyses.def"
#undef ANALYSIS
};
