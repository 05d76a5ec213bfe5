/* parts.h - the state of `heddle run`, and its three parts: the beginning (command.c), the search
 * (search.c) and the end (end.c). Private to this folder. */
#ifndef CLI_RUN_PARTS_H
#define CLI_RUN_PARTS_H

#include <limits.h>
#include <stdio.h>
#include <time.h>

#include "cli/run/corpus.h"
#include "cli/explain/coverage.h"
#include "cli/run/findings.h"
#include "cli/run/stages.h"
#include "engine/judge/judge.h"
#include "cli/options/options.h"
#include "cli/supervise/program.h"
#include "cli/supervise/supervise.h"
#include "cli/explain/tips.h"

struct run {
    struct stages stages;
    struct run_options options;
    struct program program;
    char **arguments; /* of the program */
    char **command;   /* argv of heddle */
    struct supervision supervision;
    struct session *session;
    int session_fd;
    struct progress progress;
    struct outputs outputs;
    struct suppressions suppressions;
    struct findings findings;
    struct corpus_directory corpus;
    time_t started;
    struct causes causes; /* filled at the end */
    struct pairs pairs;   /* filled at the end */
    struct tip tips[TIPS_MAX];
    char directory[PATH_MAX]; /* the current one */
    struct output_run view;   /* all of this as outputs see it */
};

/* Follows the corpus, then searches. Returns 0, or an exit code after one line on stderr. */
int run_search(struct run *run);

/* Judges the search of the session. */
struct judgement run_judge(struct run *run);

/* Judges the run and ends all outputs. Returns the exit code. */
int run_finish(struct run *run);

#endif
