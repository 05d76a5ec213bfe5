/* file_records.h - the lines of a trace file, as a table: the name of each record, its fields, and
 * how many there are. */
#ifndef TRACE_FILE_RECORDS_H
#define TRACE_FILE_RECORDS_H

#include <stdio.h>

#include "trace/trace.h"

/* Writes all lines between the first and the last. The trace is not changed. */
void records_write(const struct trace *trace, FILE *out);

/* Reads one line without its end, and changes the line. Returns false if the line is malformed. */
bool records_read(struct trace *trace, char *line);

/* Whether all numbers in a trace that was read are valid indices, so that its users need not
 * check. */
bool records_valid(const struct trace *trace);

#endif
