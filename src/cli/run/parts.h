/* parts.h - the state of `heddle run`, and its parts: before (command.c), the search (search.c), what is written
 * (files.c), and the end (end.c). Private to this folder. */
#ifndef CLI_RUN_PARTS_H
#define CLI_RUN_PARTS_H

#include <stdio.h>
#include <time.h>

#include "cli/corpus.h"
#include "cli/coverage.h"
#include "cli/findings.h"
#include "cli/judge.h"
#include "cli/options.h"
#include "cli/program.h"
#include "cli/supervise.h"
#include "cli/tips.h"

struct run {
    struct run_options options;
    struct program program;
    char **arguments; /* of the program */
    char **command;   /* argv of heddle */
    uint32_t written; /* so many findings are in the JSON file */
    struct supervision supervision;
    struct session *session;
    int session_fd;
    struct progress progress;
    struct outputs outputs;
    struct suppressions suppressions;
    struct findings findings;
    struct corpus_directory corpus;
    time_t started;
    struct causes causes; /* at the end */
    struct pairs pairs;   /* likewise */
    struct tip tips[TIPS_MAX];
    uint32_t tip_count;
    bool explain; /* why the search is so large */
};

/* The corpus, then the search. 0, or an exit code after one line on stderr. */
int run_search(struct run *run);

/* What was found, in the JSON file while the search lasts: who kills the supervisor too still finds it there. */
void run_keep_json(struct run *run);

/* Findings into the corpus. */
void run_keep_findings(struct run *run);

/* All files that were asked for. False after one line on stderr for each that could not be written. */
bool run_write_files(struct run *run, const struct judgement *judgement);

/* The judgement, for people and files; the exit code. */
int run_finish(struct run *run);

#endif
