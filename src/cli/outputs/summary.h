/* summary.h - the end of a run, for people: the verdict, the work that was done, and calls that
 * were not controlled. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include <stdio.h>

#include "cli/supervise/supervise.h"
#include "engine/judge/judge.h"
#include "cli/supervise/program.h"
#include "cli/names/symbols.h"

void summary_print(const struct judgement *judgement, const struct supervision *supervision,
                   const struct program *program, struct symbols *symbols, FILE *out);

#endif
