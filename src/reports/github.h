/* github.h - a run in GitHub Actions: annotations at source lines, which are commands in the log,
 * and a summary of the job in Markdown. */
#ifndef REPORTS_GITHUB_H
#define REPORTS_GITHUB_H

#include <stdio.h>

#include "reports/ending.h"
#include "trace/trace.h"

/* "::error file=src/queue.c,line=31,title=data race::..." Files are named relative to `workspace`,
 * an absolute path. A finding in a file that is not below it gets no line; its message names the
 * file. */
void github_annotate(const struct reported *finding, const struct trace *trace,
                     const char *workspace, FILE *out);

/* Writes "::warning title=...::..." or an error if the run ended without a result; nothing else. */
void github_annotate_end(const struct ending *ending, FILE *out);

/* Writes the text for the file that GITHUB_STEP_SUMMARY names. Other steps write to the same
 * file. */
void github_summary(const struct ending *ending, FILE *out);

#endif
