/* sample_trace.h - a small trace that uses every record, for tests of files and reports. */
#ifndef SAMPLE_TRACE_H
#define SAMPLE_TRACE_H

#include "trace/trace.h"

/* main starts two workers; T1 locks a, T2 locks b, each then wants the other's. The caller destroys
 * it. `tasks` of at least 3: the rest only have a name and one event each. */
void sample_trace(struct trace *trace, uint32_t tasks);

#endif
