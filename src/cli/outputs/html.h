/* html.h - the HTML page of a trace, as a file. --html=DIR writes one for each finding of a run,
 * and one about the run. */
#ifndef CLI_HTML_H
#define CLI_HTML_H

#include <limits.h>
#include <stdio.h>

#include "trace/trace.h"

/* The name of the page for the trace at `path`: t.html for t.trace, beside it, or in `directory` if
 * that is not NULL. Returns false if the name is too long. */
bool html_path(const char *directory, const char *path, char page[PATH_MAX]);

/* `path` is the file of the trace, for the command that replays it. */
void html_print_trace(const struct trace *trace, const char *path, FILE *out);

/* Writes the whole page or nothing. Returns false with one line in `error`. */
bool html_write_trace(const struct trace *trace, const char *path, const char *page, char *error,
                      size_t size);

#endif
