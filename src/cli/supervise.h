/* supervise.h - the supervisor: starts the tested program on a session and stays with it until the
 * session is done, whatever the program does to itself. */
#ifndef CLI_SUPERVISE_H
#define CLI_SUPERVISE_H

#include <signal.h>

#include "cli/child.h"
#include "engine/session.h"

/* Why it is over, beside what the session says. */
enum supervise_end {
    END_DONE,        /* the session says how it went */
    END_TIMEOUT,     /* --timeout */
    END_INTERRUPTED, /* Ctrl-C, SIGTERM, SIGHUP, SIGQUIT */
    END_FAILED,      /* `error` says why, `verdict` whose fault it is */
};

/* It does not come again when the execution is repeated. */
#define KILLED "the program was killed from outside"
static inline bool supervise_from_outside(int signal) {
    return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP ||
           signal == SIGQUIT;
}

struct supervision {
    struct session *session;       /* borrowed */
    const struct child_plan *plan; /* borrowed */
    bool linked;                   /* the program says itself that it wants the runtime */
    void (*tick)(void *context);   /* some 50 times a second, and once at the end */
    void *context;
    bool watches_input; /* what comes on stdin makes a tick, too */
    bool quit;          /* set by tick: the program is killed, and that is all */
    bool from_main;     /* --timeout is for what is tried: the way to main takes none of it */

    enum supervise_end end;
    enum verdict verdict;
    char error[SESSION_TEXT + 200];
    double seconds, cpu_seconds;
    char unseen[200];   /* code that Heddle does not see, by name; "": none (unseen.h) */
    uint64_t memory_kb; /* the largest resident size of a process of the tested program */
};

void supervise(struct supervision *supervision);

/* Whatever comes after it has the rest of the time. */
void supervise_pass_time(const struct supervision *supervision, struct options *options);

/* Whether it has to be done again, in another session, since it lacked an option. Sets that option. */
bool supervise_again(const struct supervision *supervision, struct options *options);

#endif
