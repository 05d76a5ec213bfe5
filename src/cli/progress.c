/* progress.c - see progress.h. */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/say.h"

static const double INTERVAL = 0.2; /* seconds between two looks */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void progress_init(struct progress *progress, bool quiet) {
    memset(progress, 0, sizeof *progress);
    progress->on = !quiet && isatty(STDERR_FILENO);
    progress->started = progress->last = now();
}

static uint64_t executions(const struct session *session) {
    const struct session_counters *counters = &session->counters;
    return counters->executions + counters->blocked_executions + counters->dropped_executions +
           counters->cut_executions;
}

void progress_show(struct progress *progress, const struct session *session) {
    double time = now();
    if (!progress->on || time - progress->last < INTERVAL)
        return;
    uint64_t done = executions(session);
    double rate = (double)(done - progress->last_executions) / (time - progress->last);
    /* Half of what was, half of what is: steady enough to read. */
    progress->rate = progress->last_executions ? (progress->rate + rate) / 2 : rate;
    progress->last = time;
    progress->last_executions = done;
    char count[GROUPED_SIZE], per_second[GROUPED_SIZE];
    fprintf(stderr, "\r\033[Kheddle: %s executions, %s/s, depth %llu, %u finding%s, %.0f s",
            say_grouped(done, count), say_grouped((uint64_t)progress->rate, per_second),
            (unsigned long long)session->counters.depth_max, session->finding_count,
            session->finding_count == 1 ? "" : "s", time - progress->started);
    fflush(stderr);
    progress->shown = true;
}

void progress_wipe(struct progress *progress) {
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
