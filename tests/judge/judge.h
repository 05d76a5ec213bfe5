/* judge.h - what the judge asks of Heddle, and how it compares the answers. */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include "model.h"

enum { STRATEGIES_MAX = 16, VARIANTS_MAX = 8, DIFFERENCES_SHOWN = 20 };

struct trial {
    const char *heddle, *work;           /* the tool, and a folder for its files */
    const char *always[STRATEGIES_MAX];  /* strategies for each program */
    const char *in_turn[STRATEGIES_MAX]; /* one of these for each program */
    const char *variant[VARIANTS_MAX];   /* the programs, compiled in several ways */
    int variants;
    const char *options; /* one more option for each run, or NULL */
    const char *without; /* leaves out programs with these kinds of instructions, or NULL */
    uint64_t states_max, executions_max;
    uint32_t sloppy;
    /* Results. */
    bool last_differs; /* some run of the last program differed */
    uint64_t programs, runs, differences, too_big, too_long, left_out;
};

/* Compares Heddle's answer to one program with the model's answer. */
void trial_of(struct trial *trial, const struct program *program);

#endif
