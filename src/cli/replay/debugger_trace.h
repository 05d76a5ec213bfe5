/* debugger_trace.h - a trace in the form that the gdb extension (share/heddle_gdb/) reads. */
#ifndef CLI_DEBUGGER_TRACE_H
#define CLI_DEBUGGER_TRACE_H

#include "trace/trace.h"

/* Returns a memory file with the trace, which gdb inherits; or -1 with errno. */
int debugger_trace(const struct trace *trace);

#endif
