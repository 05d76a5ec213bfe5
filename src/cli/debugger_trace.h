/* debugger_trace.h - a trace as the gdb extension (share/heddle_gdb/) reads it. */
#ifndef CLI_DEBUGGER_TRACE_H
#define CLI_DEBUGGER_TRACE_H

#include "trace/trace.h"

/* A memory file with it, which a program executed from here inherits. -1 with errno. */
int debugger_trace(const struct trace *trace);

#endif
