/* debugger.h - a replay inside gdb, with the commands of share/heddle_gdb/. */
#ifndef CLI_DEBUGGER_H
#define CLI_DEBUGGER_H

#include "cli/supervise/child.h"
#include "trace/trace.h"

/* Becomes gdb, which runs the plan up to the finding of the trace. `words` are additional arguments
 * for gdb, quoted as in a shell, perhaps empty. Returns an exit code only if this fails. */
int debugger_run(const struct child_plan *plan, int session_fd, const struct trace *trace,
                 const char *words);

#endif
