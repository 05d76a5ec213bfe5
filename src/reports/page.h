/* page.h - a trace as one HTML page that needs nothing else: no server, no network, no other file.
 *
 * The page is a template with a style sheet and a program (src/reports/page/, bundled when Heddle
 * is built) around data in JSON. Everything that needs an algorithm is computed in C and stands in
 * the data: the order of the events and its arrows (execution/causality.h), the times for which
 * tasks held objects or waited (execution/spans.h), the race sets of receives
 * (execution/race_sets.h). The program only shows it: model.js gives the data its shape,
 * timeline.js keeps what is in view in the document, lines.js draws behind it, help.js has the
 * keys. */
#ifndef REPORTS_PAGE_H
#define REPORTS_PAGE_H

#include <stdio.h>

#include "trace/trace.h"

struct page_view {
    const char *replay_command; /* the whole line, or NULL */
};

/* The data of a trace, for page_write; the caller frees it. docs/FORMATS.md says what is in it. */
char *page_data(const struct trace *trace, const struct page_view *view);

/* Writes the page around a JSON object whose `view` the program of the page knows. Title and data
 * are escaped. */
void page_write(const char *title, const char *json, FILE *out);

/* Writes the page of a trace, with its data and title. */
void page_write_trace(const struct trace *trace, const struct page_view *view, FILE *out);

#endif
