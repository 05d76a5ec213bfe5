/* columns.h - the schedule as one column per task, in 80 characters. */
#ifndef REPORTS_COLUMNS_H
#define REPORTS_COLUMNS_H

#include <stdio.h>

#include "reports/style.h"
#include "trace/trace.h"

enum { COLUMNS_WIDTH = 80, COLUMNS_LAST_EVENTS = 25 };

struct columns_view {
    const struct style *style;
    bool all;    /* every event, not only the last ones */
    bool source; /* the text of the source line below each event */
};

void columns_print(const struct trace *trace, const struct columns_view *view, FILE *out);

#endif
