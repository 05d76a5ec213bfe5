/* github.h - what GitHub Actions shows of a run: annotations at source lines, which are commands in the
 * log, and a summary of the job in Markdown. */
#ifndef REPORTS_GITHUB_H
#define REPORTS_GITHUB_H

#include <stdio.h>

#include "reports/ending.h"
#include "trace/trace.h"

/* "::error file=src/queue.c,line=31,title=data race::..." Files are named from `workspace` on, an
 * absolute path; one that is not below it has no annotation there, but is named in the message. */
void github_annotate(const struct trace *trace, const char *workspace, FILE *out);

/* A run that ended without a result: "::warning title=...::...", or error. */
void github_annotate_end(const struct ending *ending, FILE *out);

/* For the file that GITHUB_STEP_SUMMARY names; other steps write there, too. */
void github_summary(const struct ending *ending, FILE *out);

#endif
