/* text.h - the report of one finding, in the shape that users of the sanitizers know. */
#ifndef REPORTS_TEXT_H
#define REPORTS_TEXT_H

#include <stdio.h>

#include "reports/columns.h"
#include "trace/trace.h"

struct text_view {
    struct columns_view columns;
    int pid;                    /* in ==PID== */
    const char *replay_command; /* the whole line, or NULL */
};

/* Everything but the SUMMARY line; of an execution in which nothing is wrong, the schedule. */
void text_report(const struct trace *trace, const struct text_view *view, FILE *out);

/* "SUMMARY: heddle: deadlock queue_test.c:31 in consumer", the last line of all. */
void text_summary(const struct trace *trace, FILE *out);

/* One call stack, four blanks in front. */
void text_stack(const struct trace *trace, uint32_t stack, const struct style *style, FILE *out);

#endif
