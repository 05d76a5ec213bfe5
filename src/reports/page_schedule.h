/* page_schedule.h - one execution for the page: its events, what orders them, who held what, which
 * messages a receive could have taken. */
#ifndef REPORTS_PAGE_SCHEDULE_H
#define REPORTS_PAGE_SCHEDULE_H

#include <jansson.h>

#include "trace/trace.h"

json_t *page_schedule(const struct trace *trace);

/* In the words of describe.h. */
json_t *page_op_text(const struct trace *trace, const struct op *op);
json_t *page_object_text(const struct trace *trace, uint64_t address);
json_t *page_wait_text(const struct trace *trace, const struct finding_wait *wait);

#endif
