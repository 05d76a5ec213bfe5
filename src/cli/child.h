/* child.h - starts the tested program on a session. */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct session;

/* What is started, again and again if it must. All borrowed. */
struct child_plan {
    const char *path;
    char *const *arguments;
    char **environment;
    const char *directory; /* NULL: here */
    bool output;           /* through pipes; otherwise nobody sees it */
};

struct child {
    pid_t pid;
    int out, err; /* to read from, or -1 */
};

/* The caller's environment with the session and the runtime library in it. It lives as long as the
 * process: every start gets the very same one. */
char **child_environment(int session_fd);

/* A new session for a program. 0, or an exit code after one line on stderr. */
int child_session(struct session **session, int *session_fd);
void child_session_end(struct session *session, int session_fd);

/* False with one line in `error`. */
bool child_start(struct child *child, const struct child_plan *plan, char *error, size_t size);

/* Kills it with everything that it started. Still has to be waited for. */
void child_kill(const struct child *child);

#endif
