/* findings.c - see findings.h. The trace is on disk before anything is printed, so no finding is
 * lost if the run ends badly. */
#define _GNU_SOURCE
#include "cli/run/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "cli/commands/minimise.h"
#include "cli/run/minimiser.h"
#include "cli/base/say.h"
#include "cli/supervise/sound.h"
#include "cli/supervise/wrote.h"
#include "trace/file.h"

enum {
    MINIMISED_MAX = 10, /* findings of one run; the others are reported as they were found */
    MINIMISE_MS = 3000, /* the most time for minimising a finding */
    LEAST_MS = 500,     /* the least time, even if --timeout is over */
};

static const char SUFFIX[] = ".trace";

static uint64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* The time that is left of --timeout, within these bounds. */
static uint32_t time_for(const struct findings *findings, uint32_t most_ms) {
    uint64_t now = now_ms(), left = findings->end_ms > now ? findings->end_ms - now : 0;
    if (findings->end_ms == 0 || left > most_ms)
        return most_ms;
    return left > LEAST_MS ? (uint32_t)left : LEAST_MS;
}

void findings_init(struct findings *findings, const struct collect_source *source,
                   struct progress *progress, struct outputs *outputs,
                   struct suppressions *suppressions) {
    memset(findings, 0, sizeof *findings);
    findings->source = *source;
    findings->progress = progress;
    findings->outputs = outputs;
    findings->suppressions = suppressions;
}

void findings_turn_to(struct findings *findings, const struct session *session) {
    uint32_t timeout_ms = findings->source.options->engine.timeout_ms;
    if (findings->end_ms == 0 && timeout_ms > 0)
        findings->end_ms = now_ms() + timeout_ms;
    findings->source.session = session;
    findings->last_seen = NULL;
    findings->taken = 0;
}

void findings_destroy(struct findings *findings) {
    reported_destroy(&findings->reported);
    reported_destroy(&findings->suppressed);
    symbols_destroy(findings->source.symbols);
}

struct symbols *findings_symbols(struct findings *findings) {
    const struct session *session = findings->source.session;
    if (findings->source.symbols == NULL)
        findings->source.symbols =
            symbols_create(session->result.modules.list, session->result.modules.count);
    return findings->source.symbols;
}

/* PROGRAM.trace, PROGRAM.2.trace, ...; likewise with a name that the user gave. */
static char *trace_path(const struct findings *findings, uint32_t number) {
    const struct run_options *options = findings->source.options;
    char *base = NULL, *path = NULL;
    int written;
    if (options->trace != NULL)
        written = asprintf(&base, "%s", options->trace);
    else
        written = asprintf(&base, "%s%s", trace_basename(findings->source.program->path), SUFFIX);
    CHECK(written >= 0);
    size_t length = strlen(base), suffix = strlen(SUFFIX);
    bool ends = length > suffix && strcmp(base + length - suffix, SUFFIX) == 0;
    bool below = options->output != NULL && base[0] != '/';
    char middle[16] = "";
    if (number > 1)
        snprintf(middle, sizeof middle, ".%u", number);
    written = asprintf(&path, "%s%s%.*s%s%s", below ? options->output : "", below ? "/" : "",
                       (int)(ends ? length - suffix : length), base, middle, ends ? SUFFIX : "");
    CHECK(written >= 0);
    free(base);
    return path;
}

/* The name of the strategy's member that was the first to have the finding; NULL: the strategy has
 * no members. */
static char *found_by(const struct findings *findings, const struct session_finding *found) {
    const struct members *members = &findings->source.session->result.reached.members;
    if (found->member == 0 || found->member > MEMBERS_MAX)
        return NULL;
    char *name = strndup(members->rows[found->member - 1].name, MEMBER_NAME - 1);
    CHECK(name);
    return name;
}

/* Appends the finding to one of the two lists. */
static struct reported *add(const struct findings *findings, struct reported_list *list,
                            const struct trace *trace, const struct session_finding *found) {
    struct reported *reported = reported_add(list, trace);
    reported->delays = found->delays;
    reported->found_by = found_by(findings, found);
    return reported;
}

/* --- one finding --- */

/* Writes the trace. Returns the name of its file, or NULL after one line on stderr. */
static char *write_trace(struct findings *findings, const struct trace *trace) {
    char error[PATH_MAX + 200];
    char *path = trace_path(findings, findings->reported.count + 1);
    if (trace_write(trace, path, error, sizeof error))
        return path;
    progress_wipe(findings->progress);
    say_error(0, "%s", error);
    free(path);
    return NULL;
}

/* Has the trace minimised. If that worked, the trace in the file replaces this one. */
static void minimise(const struct findings *findings, struct trace *trace, const char *path) {
    struct trace smaller;
    char error[PATH_MAX + 200];
    if (path == NULL || findings->reported.count >= MINIMISED_MAX || !minimise_is_possible(trace) ||
        findings->source.options->minimise == MINIMISE_OFF ||
        !minimiser_run(path, time_for(findings, MINIMISE_MS), findings->progress))
        return;
    bool read = trace_read(&smaller, path, error, sizeof error);
    trace_destroy(read ? trace : &smaller);
    if (read)
        *trace = smaller;
}

static void report(struct findings *findings, struct trace *trace,
                   const struct session_finding *found) {
    char *path = write_trace(findings, trace);
    minimise(findings, trace, path);
    if (path != NULL && findings->reported.count < MINIMISED_MAX)
        wrote_capture(trace, path, time_for(findings, WROTE_MS));
    struct reported *reported = add(findings, &findings->reported, trace, found);
    reported->trace = path;
    progress_wipe(findings->progress);
    outputs_add(findings->outputs, reported, trace);
    fflush(stdout);
}

static void suppress(struct findings *findings, const struct trace *trace,
                     const struct session_finding *found, struct suppression *because) {
    struct reported *reported = add(findings, &findings->suppressed, trace, found);
    reported->because = because;
    because->used++;
    outputs_add(findings->outputs, reported, trace);
}

static void take(struct findings *findings, const struct session_finding *found) {
    struct trace trace;
    char fingerprint[IDENTITY_SIZE];
    if (findings->source.options->engine.asks && findings->reported.count > 0)
        return; /* without --keep-going, only the first finding counts */
    findings_symbols(findings);
    const struct collect_subject subject = {.execution = &found->execution,
                                            .finding = &found->finding,
                                            .at_execution = found->at_execution};
    collect_trace(&trace, &findings->source, &subject);
    trace.unfinished = found->unfinished;
    identity_of(&trace, fingerprint);
    struct suppression *because = suppressions_match(findings->suppressions, &trace, fingerprint);
    struct reported *same =
        reported_named(because ? &findings->suppressed : &findings->reported, fingerprint);
    if (same != NULL)
        same->again++;
    else if (because != NULL)
        suppress(findings, &trace, found, because);
    else
        report(findings, &trace, found);
    trace_destroy(&trace);
}

void findings_take(struct findings *findings) {
    const struct session *session = findings->source.session;
    /* An entry is complete before it is linked (engine/explore/confirm.c). */
    for (;;) {
        struct session_finding *const *link =
            findings->last_seen ? &findings->last_seen->next : &session->result.found.first;
        const struct session_finding *found = __atomic_load_n(link, __ATOMIC_ACQUIRE);
        if (found == NULL || !sound_finding(session, found))
            return;
        take(findings, found);
        findings->last_seen = found;
        findings->taken++;
    }
}

/* --- the end --- */

uint32_t findings_unsuppressed(const struct findings *findings) {
    return findings->reported.count + findings->source.session->result.found.count -
           findings->taken;
}
