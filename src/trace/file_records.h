/* file_records.h - the lines of a trace file, as a table: name, what it holds, how many there are. */
#ifndef TRACE_FILE_RECORDS_H
#define TRACE_FILE_RECORDS_H

#include <stdio.h>

#include "trace/trace.h"

/* Writes all lines between the first and the last. The trace is not changed. */
void records_write(const struct trace *trace, FILE *out);

/* Takes in one line without its end (the line is used up). False: malformed. */
bool records_read(struct trace *trace, char *line);

/* Whether all numbers in a trace that was read point at something, so that its users need not ask. */
bool records_valid(const struct trace *trace);

#endif
