/* supervise.h - the supervisor: starts the tested program on a session and stays with it until the
 * session is done, whatever happens to the program. */
#ifndef CLI_SUPERVISE_H
#define CLI_SUPERVISE_H

#include <signal.h>

#include "cli/supervise/child.h"
#include "engine/session.h"

/* Signals by which others kill a program. Such a death does not come again when the execution is
 * repeated. */
static inline bool supervise_from_outside(int signal) {
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ||
           signal == SIGQUIT;
}

struct supervision {
    struct session *session;       /* borrowed */
    const struct child_plan *plan; /* borrowed */
    bool linked;                   /* the program is linked to the runtime */
    void (*tick)(void *context);   /* called about 50 times a second, and once at the end */
    void *context;
    bool watches_input; /* input on stdin causes a tick, too */
    bool quit;          /* set by tick: the program is killed, and nothing else is done */
    bool from_main;     /* --timeout does not count the time before main */

    double seconds, cpu_seconds;
    double earlier_seconds; /* the part of `seconds` that other searches of this run took */
    uint64_t memory_kb;     /* the largest resident size of a process of the tested program */
};

/* The result of the session says how it went: result.search.stopped, and result.failure. */
void supervise(struct supervision *supervision);

/* If the program was killed from outside, the repeated execution had to differ. This replaces the
 * difference by that reason. */
void supervise_excuse_kill(struct session *session);

#endif
