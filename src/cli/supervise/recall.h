/* recall.h - makes a trace runnable again: the program, its arguments, the options on which the
 * execution depends, and a session that knows the tasks by their names. Each command that runs a
 * recorded schedule begins here: replay, min, the simulator. */
#ifndef CLI_RECALL_H
#define CLI_RECALL_H

#include "cli/supervise/child.h"
#include "cli/options/options.h"
#include "cli/supervise/program.h"
#include "engine/session.h"
#include "trace/trace.h"

struct recall {
    const char *path; /* the path of the trace, for messages */
    const struct trace *trace;
    struct program program;
    struct run_options options;
    struct session *session;
    int session_fd;
    char **arguments;
};

/* Opens a session in MODE_REPLAY, with the decisions and events of the trace. `trace` is borrowed.
 * Returns 0, or an exit code after one line on stderr: there is no such program, or it is another
 * build, or the user does not want to run it (origin.h; `yes` is the answer), or the options are of
 * a newer version. */
int recall_open(struct recall *recall, const struct trace *trace, const char *path, bool yes);
void recall_close(struct recall *recall);

/* Returns how to start the program: in the directory of the trace, if it still exists. */
struct child_plan recall_plan(const struct recall *recall);

#endif
