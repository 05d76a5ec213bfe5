/* page.h - a trace as one HTML page that needs nothing else: no server, no network, no other file.
 *
 * The page is a template with a style sheet and a program (src/reports/page/, bundled when Heddle is
 * built) around data in JSON. All that takes an algorithm is in the data; the program only shows it. */
#ifndef REPORTS_PAGE_H
#define REPORTS_PAGE_H

#include <stdio.h>

#include "trace/trace.h"

struct page_view {
    const char *replay_command; /* the whole line, or NULL */
};

/* The data of a trace, for page_write; the caller frees it. docs/FORMATS.md says what is in it. */
char *page_data(const struct trace *trace, const struct page_view *view);

/* The page around any JSON object whose `view` its program knows. Neither title nor data can break out
 * of their place. */
void page_write(const char *title, const char *json, FILE *out);

/* Both, with the title that a trace has. */
void page_write_trace(const struct trace *trace, const struct page_view *view, FILE *out);

#endif
