/* judge.h - what may be said at the end of a run: the verdict, its sentence, and what was left out.
 *
 * Judging is a function of the strategy, the options and the result, and of nothing else. The
 * supervisor puts what it has found out itself (source lines, unseen code, suppressed findings)
 * into the result before. */
#ifndef ENGINE_JUDGE_H
#define ENGINE_JUDGE_H

#include "engine/judge/omissions.h"
#include "engine/verdict.h"

enum judgement_row {
#define JUDGEMENT(name, verdict, condition, sentence) JUDGED_##name,
#include "engine/judge/judge.def"
#undef JUDGEMENT
    JUDGEMENTS
};

struct judgement {
    enum judgement_row row;
    enum verdict verdict;
    bool complete;              /* nothing was left out within the requested bound */
    char sentence[1200];        /* "verified: all 4,096 executions, nothing cut off" */
    struct omissions omissions; /* none if the run has failed */
};

struct judgement judge(const struct strategy_info *strategy, const struct options *options,
                       const struct result *result);

#endif
