/* file.h - the trace file: text, one record a line, with a version at its top and a checksum at its
 * end. docs/FORMATS.md describes it for other programs. */
#ifndef TRACE_FILE_H
#define TRACE_FILE_H

#include <stddef.h>

#include "trace/trace.h"

/* The other side of a file: all or nothing, never half a trace under this name. False with one line
 * in `error`. */
bool trace_write(const struct trace *trace, const char *path, char *error, size_t size);

/* Fills `trace`, which the caller destroys in any case. False with one line in `error`: no such
 * file, not a trace, of another version, cut off, garbled, or malformed at some line. Any bytes at
 * all may stand in the file. */
bool trace_read(struct trace *trace, const char *path, char *error, size_t size);

#endif
