/* text.h - the report of one finding as text, in the form that users of the sanitizers know. */
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

/* Prints all but the SUMMARY line. If nothing is wrong with the execution, prints its schedule
 * only. */
void text_report(const struct trace *trace, const struct text_view *view, FILE *out);

/* Prints "SUMMARY: heddle: deadlock queue_test.c:31 in consumer", the last line of all. */
void text_summary(const struct trace *trace, FILE *out);

/* Prints one call stack, indented by four blanks. */
void text_stack(const struct trace *trace, uint32_t stack, const struct style *style, FILE *out);

#endif
