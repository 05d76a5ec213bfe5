/* child.h - starts the tested program on a session. */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct session;

/* How to start the program, repeatedly if necessary. All pointers are borrowed. */
struct child_plan {
    const char *path;
    char *const *arguments;
    char **environment;
    const char *directory; /* the directory of the program; NULL means the current one */
    bool output;           /* the output goes through pipes; otherwise it is discarded */
};

struct child {
    pid_t pid;
    int out, err; /* pipes with the program's output, or -1 */
};

/* Returns the caller's environment with the session and the runtime library added. It is never
 * freed: every start gets the very same environment. */
char **child_environment(int session_fd);

/* Makes a new session for a program. Returns 0, or an exit code after one line on stderr. */
int child_session(struct session **session, int *session_fd);
void child_session_end(struct session *session, int session_fd);

/* Starts the program. Returns false, with one line in `error`, if that fails. */
bool child_start(struct child *child, const struct child_plan *plan, char *error, size_t size);

/* Kills the program and all processes that it started. The caller still has to wait for it. */
void child_kill(const struct child *child);

#endif
