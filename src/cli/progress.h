/* progress.h - the line that shows that the search is alive: on a terminal only. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/session.h"

struct progress {
    bool on;
    bool shown; /* there is a line to be wiped away */
    double started, last;
    uint64_t last_executions;
    double last_ended; /* when an execution was last seen to have ended */
    double rate;       /* executions a second, lately */
};

void progress_init(struct progress *progress, bool quiet);
void progress_show(struct progress *progress, const struct session *session);

/* Something else takes its time. */
void progress_say(struct progress *progress, const char *what);

/* Before anything else is printed. */
void progress_wipe(struct progress *progress);

#endif
