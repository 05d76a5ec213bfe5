/* page_schedule.h - the data of one execution for the page: its events, the order between them,
 * which task held which lock, and which messages a receive could have taken. */
#ifndef REPORTS_PAGE_SCHEDULE_H
#define REPORTS_PAGE_SCHEDULE_H

#include <jansson.h>

#include "trace/trace.h"

json_t *page_schedule(const struct trace *trace);

/* The texts of describe.h, as JSON strings. */
json_t *page_op_text(const struct trace *trace, const struct op *op);
json_t *page_object_text(const struct trace *trace, uint64_t address);
json_t *page_wait_text(const struct trace *trace, const struct finding_wait *wait);

#endif
