/* minimise.h - `heddle min`. What is learnt stands in the trace: struct trace_evidence, and the passing
 * execution beside the failing one. */
#ifndef CLI_MINIMISE_H
#define CLI_MINIMISE_H

#include "trace/trace.h"

int minimise_main(int argc, char **argv);

/* Not of a divergence: each execution would take as long as the program is given to move. */
bool minimise_is_possible(const struct trace *trace);

#endif
