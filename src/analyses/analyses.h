/* analyses.h - the analyses. A new one is a file here and a row in analyses.c. */
#ifndef ANALYSES_ANALYSES_H
#define ANALYSES_ANALYSES_H

#include "engine/analysis.h"

extern const struct analysis_ops race_analysis;        /* race.c */
extern const struct analysis_ops race_states_analysis; /* race_states.c */
extern const struct analysis_ops deadlock_analysis;    /* deadlock.c */
extern const struct analysis_ops coverage_analysis;    /* coverage.c */

enum { ANALYSES = 4 };
extern const struct analysis_ops *const analyses[ANALYSES];

#endif
