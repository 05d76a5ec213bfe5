/* sarif.h - findings as SARIF 2.1.0 (OASIS), for code scanning and editors: one run, one result a
 * finding. The schedule is a code flow with one thread flow a task; executionOrder joins them. */
#ifndef REPORTS_SARIF_H
#define REPORTS_SARIF_H

#include <stdbool.h>
#include <stdio.h>

#include "reports/ending.h"
#include "trace/trace.h"

struct sarif;

/* What the trace does not know about a finding. */
struct sarif_finding {
    const char *trace;      /* its file, or NULL */
    const char *suppressed; /* why it is, or NULL */
};

/* Files below the directory `base` are named from there on. With `judged`, each result says whether it
 * is suppressed. */
struct sarif *sarif_create(const char *base, bool judged);
void sarif_destroy(struct sarif *sarif);

/* Nothing of the trace is needed afterwards. */
void sarif_add(struct sarif *sarif, const struct trace *trace, const struct sarif_finding *more);

/* Once, after all of them; the findings of `ending` are not looked at. False if it could not be
 * written. */
bool sarif_write(struct sarif *sarif, const struct ending *ending, FILE *out);

#endif
