/* progress.c - see progress.h. */
#include "cli/run/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/base/say.h"
#include "cli/supervise/sound.h"

enum { LINE_MAX_COLUMNS = 250, LEFT_SIZE = RANGE_SIZE + 32 };
static const double INTERVAL = 0.2; /* seconds between two looks */
static const double LONG = 1;       /* seconds that an execution seldom takes */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void progress_init(struct progress *progress, bool quiet) {
    memset(progress, 0, sizeof *progress);
    progress->on = !quiet && isatty(STDERR_FILENO);
    progress->started = progress->last = progress->last_ended = now();
}

/* A longer line would wrap and could not be removed. */
static size_t columns(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1
                                                                           : LINE_MAX_COLUMNS;
}

static const char *left_text(const struct session *session, char text[LEFT_SIZE]) {
    struct estimate_left left;
    char range[RANGE_SIZE];
    text[0] = '\0';
    if (rounds_grow(&session->result.scale.rounds))
        snprintf(text, LEFT_SIZE, ", longer and longer (Ctrl-C says where)");
    else if (result_left(&session->result, &left))
        snprintf(text, LEFT_SIZE, ", %s left",
                 say_range(left.left, left.low, left.high, "execution", range));
    return text;
}

static const char *strata_text(const struct strata *strata, char text[LEFT_SIZE]) {
    char count[GROUPED_SIZE];
    snprintf(text, LEFT_SIZE, ", stratum %u, %s put aside", strata->count,
             say_grouped(strata->frontier, count));
    return text;
}

/* Whether one execution takes very long. */
static bool is_long(const struct progress *progress, const struct session *session) {
    return progress->last - progress->last_ended >= LONG &&
           session->live.phase == PHASE_EXPLORING && sound_current(session);
}

static const char *long_text(const struct session *session, char text[LEFT_SIZE]) {
    char number[GROUPED_SIZE], steps[COUNT_SIZE];
    const struct execution *current = session->live.current;
    snprintf(text, LEFT_SIZE, ", execution %s has %s",
             say_grouped(counters_begun(&session->result.counters) + 1, number),
             say_count((uint64_t)current->skipped + current->event_count, "step", steps));
    return text;
}

static void note(struct progress *progress, uint64_t done, double time) {
    double rate = (double)(done - progress->last_executions) / (time - progress->last);
    /* The mean of the old rate and the new one changes slowly enough to read. */
    progress->rate = progress->last_executions ? (progress->rate + rate) / 2 : rate;
    progress->last = time;
    if (done != progress->last_executions)
        progress->last_ended = time;
    progress->last_executions = done;
}

void progress_show(struct progress *progress, const struct session *session) {
    double time = now();
    if (!progress->on || time - progress->last < INTERVAL)
        return;
    const struct strata *strata = &session->result.reached.strata;
    uint64_t done = strata->on ? strata->states : counters_begun(&session->result.counters);
    note(progress, done, time);
    char count[COUNT_SIZE], findings[COUNT_SIZE], per_second[GROUPED_SIZE], text[LEFT_SIZE];
    char line[LINE_MAX_COLUMNS + 1];
    snprintf(line, sizeof line, "heddle: %s, %s%s, %.0f s, %s/s, depth %llu",
             say_count(done, strata->on ? "state" : "execution", count),
             say_count(session->result.found.count, "finding", findings),
             strata->on                   ? strata_text(strata, text)
             : is_long(progress, session) ? long_text(session, text)
                                          : left_text(session, text),
             time - progress->started, say_grouped((uint64_t)progress->rate, per_second),
             (unsigned long long)session->result.counters.depth_max);
    fprintf(stderr, "\r\033[K%.*s", (int)columns(), line);
    fflush(stderr);
    progress->shown = true;
}

void progress_say(struct progress *progress, const char *what) {
    double time = now();
    if (!progress->on || time - progress->last < INTERVAL)
        return;
    progress->last = time;
    fprintf(stderr, "\r\033[Kheddle: %.*s", (int)columns() - (int)strlen("heddle: "), what);
    fflush(stderr);
    progress->shown = true;
}

void progress_wipe(struct progress *progress) {
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
