/* recall.h - from a trace back to something that can be run: the program, its arguments, the options on
 * which the execution depends, and a session that knows the tasks by the names that they had.
 * Whoever runs a recorded schedule again begins here: replay, min, the simulator. */
#ifndef CLI_RECALL_H
#define CLI_RECALL_H

#include "cli/child.h"
#include "cli/options.h"
#include "cli/program.h"
#include "engine/session.h"
#include "trace/trace.h"

struct recall {
    const char *path; /* of the trace's file, for messages */
    const struct trace *trace;
    struct program program;
    struct run_options options;
    struct session *session;
    int session_fd;
    char **arguments;
};

/* With the decisions and events of the trace in session->replay, in MODE_REPLAY. `trace` is borrowed.
 * 0, or an exit code after one line on stderr: no program, another build of it, one that the user does not want to
 * run (origin.h; `yes` is their answer), options of a version that knows more. */
int recall_open(struct recall *recall, const struct trace *trace, const char *path, bool yes);
void recall_close(struct recall *recall);

/* How the program is started: in the directory of the trace, if that is still there. */
struct child_plan recall_plan(const struct recall *recall);

#endif
