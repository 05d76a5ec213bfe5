/* sarif_flows.h - the schedule of a finding as SARIF tells it, and its other places. */
#ifndef REPORTS_SARIF_FLOWS_H
#define REPORTS_SARIF_FLOWS_H

#include <jansson.h>

#include "reports/sarif_places.h"

/* One code flow, with a thread flow a task that did something; the steps of all together have the
 * execution orders 1, 2, 3, ... The last of them are where it failed. Of a very long schedule the first
 * steps are left out. Empty if there are none. */
json_t *sarif_code_flows(struct sarif_places *places, const struct trace *trace);

/* What else belongs to it: the other access of a race, who waits, where the threads were created. */
json_t *sarif_related(struct sarif_places *places, const struct trace *trace);

/* The stacks of its places. */
json_t *sarif_stacks(struct sarif_places *places, const struct trace *trace);

#endif
