/* html.h - HTML pages as files: one of a trace, or those of a run. */
#ifndef CLI_HTML_H
#define CLI_HTML_H

#include <limits.h>
#include <stdio.h>

#include "cli/json.h"
#include "trace/trace.h"

/* The page of the trace at `path`: t.html for t.trace, beside it, or in `directory` if that is not NULL.
 * False: too long. */
bool html_path(const char *directory, const char *path, char page[PATH_MAX]);

/* `path` is where the trace is, for the command that replays it. */
void html_print_trace(const struct trace *trace, const char *path, FILE *out);

/* All or nothing. False with one line in `error`. */
bool html_write_trace(const struct trace *trace, const char *path, const char *page, char *error,
                      size_t size);

/* Makes the directory if it is not there. 0, or an exit code after one line on stderr. */
int html_prepare(const char *directory);

/* DIRECTORY/index.html about the run, and a page for each finding that has a trace. False after a line
 * on stderr for each that could not be written. */
bool html_write_run(const char *directory, const struct json_run *run);

#endif
