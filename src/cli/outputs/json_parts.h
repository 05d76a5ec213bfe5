/* json_parts.h - parts of the JSON result that have a file of their own. Private to json*.c. */
#ifndef CLI_JSON_PARTS_H
#define CLI_JSON_PARTS_H

#include <jansson.h>

#include "cli/outputs/output.h"

/* A place as an object; null if nothing is known about it. */
json_t *json_place(const char *function, const char *file, uint32_t line);

/* How far the search came: the bound, the counters, samples, members, strata and the estimate. */
void json_put_search(json_t *root, const struct output_run *run);

/* Why the search is as large as it is: branches, races, coverage and tips. */
void json_put_causes(json_t *root, const struct output_run *run);

#endif
