/* debugger.h - replay inside gdb, with the commands of share/heddle_gdb/. */
#ifndef CLI_DEBUGGER_H
#define CLI_DEBUGGER_H

#include "cli/child.h"
#include "trace/trace.h"

/* Becomes gdb, which runs the plan up to the finding of the trace. `words` are more arguments for gdb,
 * quoted as in a shell; may be empty. Returns an exit code only if that fails. */
int debugger_run(const struct child_plan *plan, int session_fd, const struct trace *trace,
                 const char *words);

#endif
