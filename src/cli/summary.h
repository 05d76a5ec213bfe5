/* summary.h - the end of a run, for people: the verdict, what was done, what was not controlled. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include <stdio.h>

#include "cli/judge.h"
#include "cli/program.h"
#include "cli/symbols.h"

void summary_print(const struct judgement *judgement, const struct supervision *supervision,
                   const struct program *program, struct symbols *symbols, FILE *out);

#endif
