/* describe.h - tasks, objects, operations and waits in words. Everything prints to a stream; texts
 * that come from the tested program lose their control characters on the way. */
#ifndef REPORTS_DESCRIBE_H
#define REPORTS_DESCRIBE_H

#include <stdio.h>

#include "trace/trace.h"

/* Text of the tested program, fit for a terminal. */
void describe_text(const char *text, FILE *out);

void describe_task(const struct trace *trace, uint32_t task, FILE *out); /* T1 (consumer) */
void describe_object(const struct trace *trace, uint64_t address, FILE *out);

/* "lock a", "load x = 5", "compare-exchange x: was 2: failed" */
void describe_event(const struct trace *trace, const struct event *event, FILE *out);

/* "lock a": an operation that has not happened. */
void describe_op(const struct trace *trace, const struct op *op, FILE *out);

/* "mutex `a`", "T2 to end", "a signal on `c`": what stands behind "waits for". */
void describe_wait(const struct trace *trace, const struct finding_wait *wait, FILE *out);

/* "waits for mutex `a` held by T2 (producer)" */
void describe_waiting(const struct trace *trace, const struct finding_wait *wait, FILE *out);

/* "T1 waits for mutex `a` held by T2, which waits for mutex `b` held by T1": the cycle that a wait
 * is part of. `link` is the ", which ". */
void describe_cycle(const struct trace *trace, const struct finding_wait *first, const char *link,
                    FILE *out);

/* "previous write of 4 bytes by T2 (producer)": one of the places of the finding. */
void describe_place(const struct trace *trace, uint32_t number, FILE *out);

/* "data race on `counter`: read of 4 bytes races with ...": the finding in one line. */
void describe_finding(const struct trace *trace, FILE *out);

/* The same, and of a deadlock the cycle behind it. */
void describe_sentence(const struct trace *trace, FILE *out);

/* "12: " or "other.c:12: ", or nothing: the place before an operation in a schedule in which most
 * places are in `file`. */
void describe_line(const struct trace *trace, uint32_t stack, const char *file, FILE *out);

#endif
