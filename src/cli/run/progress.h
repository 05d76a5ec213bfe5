/* progress.h - the line on a terminal that shows how far the search is. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/session.h"

struct progress {
    bool on;
    bool shown; /* the line is on the screen */
    double started, last;
    uint64_t last_executions;
    double last_ended; /* when an execution was last seen to have ended */
    double rate;       /* executions per second, averaged over the last looks */
};

void progress_init(struct progress *progress, bool quiet);
void progress_show(struct progress *progress, const struct session *session);

/* Shows another text in the line, for work that is not the search. */
void progress_say(struct progress *progress, const char *what);

/* Removes the line. Called before anything else is printed. */
void progress_wipe(struct progress *progress);

#endif
