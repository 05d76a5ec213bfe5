/* file.h - the trace file: text with one record in each line, a version at its top and a checksum
 * at its end. docs/FORMATS.md describes it for other programs. */
#ifndef TRACE_FILE_H
#define TRACE_FILE_H

#include <stddef.h>

#include "trace/trace.h"

/* Writes the whole file, or leaves no file of this name. Returns false with one line in `error`. */
bool trace_write(const struct trace *trace, const char *path, char *error, size_t size);

/* Fills `trace`, which the caller destroys in any case. Returns false with one line in `error` if
 * the file does not exist, is not a trace or one of another version, is cut off or damaged, or has
 * a malformed line. The file may contain any bytes. */
bool trace_read(struct trace *trace, const char *path, char *error, size_t size);

#endif
