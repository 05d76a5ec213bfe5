/* sarif_flows.h - the schedule of a finding as SARIF tells it, and its other places. */
#ifndef REPORTS_SARIF_FLOWS_H
#define REPORTS_SARIF_FLOWS_H

#include <jansson.h>

#include "reports/sarif_places.h"

/* One code flow, with a thread flow for each task that made a step. The steps of all tasks together
 * have the execution orders 1, 2, 3, ..., and the last ones are the places of the finding. The
 * first steps of a very long schedule are left out. The array is empty if there are no steps. */
json_t *sarif_code_flows(struct sarif_places *places, const struct trace *trace);

/* The related places: the other access of a race, the tasks that wait, and the places where threads
 * were created. */
json_t *sarif_related(struct sarif_places *places, const struct trace *trace);

/* The stacks of the places of the finding. */
json_t *sarif_stacks(struct sarif_places *places, const struct trace *trace);

#endif
