/* judge.h - what may be said at the end of a run: the verdict, its sentence, and what was left out. */
#ifndef CLI_JUDGE_H
#define CLI_JUDGE_H

#include "cli/omissions.h"
#include "cli/supervise.h"
#include "engine/session.h"

struct judgement {
    enum verdict verdict;
    bool complete;              /* nothing was left out within the requested bound */
    char sentence[1200];        /* "verified: all 4,096 executions, nothing cut off" */
    struct omissions omissions; /* none if the run has failed */
};

/* Of the findings, how many count and how many do not. */
struct judge_findings {
    uint32_t reported, suppressed;
};

/* `error_place` and `difference_place` are where session->error and session->difference happened, ""
 * if unknown. */
void judge(struct judgement *judgement, const struct supervision *supervision,
           struct judge_findings found, const char *error_place, const char *difference_place);

#endif
