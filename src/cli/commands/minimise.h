/* minimise.h - `heddle min`. The results stand in the trace: struct evidence, and the passing
 * execution beside the failing one. */
#ifndef CLI_MINIMISE_H
#define CLI_MINIMISE_H

#include "trace/trace.h"

int minimise_main(int argc, char **argv);

/* Returns false for a divergence: each execution would take as long as the step timeout. */
bool minimise_is_possible(const struct trace *trace);

#endif
