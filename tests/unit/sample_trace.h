/* sample_trace.h - a small trace that uses every record, for tests of files and reports. */
#ifndef SAMPLE_TRACE_H
#define SAMPLE_TRACE_H

#include "trace/trace.h"

/* main starts two workers. T1 locks `a` and T2 locks `b`, then each wants the lock of the other.
 * There must be at least 3 `tasks`; those from the fourth on only have a name and one event each.
 * The caller destroys the trace. */
void sample_trace(struct trace *trace, uint32_t tasks);

#endif
