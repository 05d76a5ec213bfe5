/* debugger.h - replay inside gdb. */
#ifndef CLI_DEBUGGER_H
#define CLI_DEBUGGER_H

#include "cli/child.h"

/* Becomes gdb, which runs the plan up to the finding. `words` are more arguments for gdb, quoted as
 * in a shell; may be empty. Returns an exit code only if that fails. */
int debugger_run(const struct child_plan *plan, int session_fd, const char *words);

#endif
