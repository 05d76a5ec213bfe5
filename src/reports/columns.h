/* columns.h - the schedule as one column a task, in 80 columns of the terminal. */
#ifndef REPORTS_COLUMNS_H
#define REPORTS_COLUMNS_H

#include <stdio.h>

#include "reports/style.h"
#include "trace/trace.h"

/* The number of lines before the finding, unless the view shows all events. */
enum { COLUMNS_LINES = 25 };

struct columns_view {
    const struct style *style;
    bool all;    /* show every event, not only those right before the finding */
    bool source; /* show the text of the source line below each event */
};

void columns_print(const struct trace *trace, const struct columns_view *view, FILE *out);

#endif
