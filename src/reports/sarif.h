/* sarif.h - findings as SARIF 2.1.0 (OASIS), for code scanning and editors: one run, with one
 * result for each finding. The schedule is a code flow with a thread flow for each task;
 * executionOrder joins them. */
#ifndef REPORTS_SARIF_H
#define REPORTS_SARIF_H

#include <stdbool.h>
#include <stdio.h>

#include "reports/ending.h"
#include "trace/trace.h"

struct sarif;

/* Files below the directory `base` are named relative to it. With `judged`, each result says
 * whether it is suppressed. */
struct sarif *sarif_create(const char *base, bool judged);
void sarif_destroy(struct sarif *sarif);

/* Neither the finding nor the trace is needed afterwards. */
void sarif_add(struct sarif *sarif, const struct reported *finding, const struct trace *trace);

/* Called once, after all findings were added; ignores the findings of `ending`. Returns false if
 * writing failed. */
bool sarif_write(struct sarif *sarif, const struct ending *ending, FILE *out);

#endif
