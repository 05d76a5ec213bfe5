/* json.h - the result of a run as JSON (--json=FILE), as docs/heddle-run.schema.json describes
 * it. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdio.h>

#include "cli/outputs/output.h"

/* Returns false if writing failed. */
bool json_write(const struct output_run *run, FILE *out);

#endif
