/* analyses.h - all analyses: the rows of analyses.def. */
#ifndef ANALYSES_ANALYSES_H
#define ANALYSES_ANALYSES_H

#include "engine/analysis.h"

#define ANALYSIS(name) extern const struct analysis_ops name##_analysis;
#include "analyses/analyses.def"
#undef ANALYSIS

enum {
#define ANALYSIS(name) ANALYSIS_##name,
#include "analyses/analyses.def"
#undef ANALYSIS
    ANALYSES
};
extern const struct analysis_ops *const analyses[ANALYSES];

#endif
