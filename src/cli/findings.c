/* findings.c - see findings.h. Nothing found is lost when the run ends badly: the trace is on disk
 * before anything is printed. */
#define _GNU_SOURCE
#include "cli/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cli/minimise.h"
#include "cli/minimiser.h"
#include "cli/say.h"
#include "cli/sound.h"
#include "reports/text.h"
#include "trace/file.h"

enum { MINIMISED_MAX = 10 }; /* of one run: the rest is reported as it was found */

static const char SUFFIX[] = ".trace";

void findings_init(struct findings *findings, const struct collect_source *source,
                   struct progress *progress) {
    memset(findings, 0, sizeof *findings);
    findings->source = *source;
    findings->progress = progress;
}

void findings_destroy(struct findings *findings) {
    for (uint32_t i = 0; i < findings->count; i++) {
        struct finding_note *note = &findings->notes[i];
        char *texts[] = {note->message, note->function, note->file, note->trace, note->summary};
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++)
            free(texts[j]);
    }
    free(findings->notes);
    symbols_destroy(findings->source.symbols);
}

struct symbols *findings_symbols(struct findings *findings) {
    const struct session *session = findings->source.session;
    if (findings->source.symbols == NULL)
        findings->source.symbols = symbols_create(session->modules, session->module_count);
    return findings->source.symbols;
}

/* PROGRAM.trace, PROGRAM.2.trace, ...; the same with a name that the user gave. */
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

static char *own(const char *text) {
    char *copy = strdup(text);
    CHECK(copy);
    return copy;
}

static char *summary_of(const struct trace *trace) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    CHECK(out);
    text_summary(trace, out);
    CHECK(fclose(out) == 0);
    return text;
}

static char *message_of(const struct trace *trace) {
    const struct finding *finding = &trace->finding;
    return own(finding->text[0] ? finding->text : finding_info(finding->kind)->title);
}

/* The member of the strategy that has it first; empty if there are none. */
static const char *found_by(const struct findings *findings, const struct session_finding *found) {
    const struct members *members = &findings->source.session->members;
    bool known = found->member > 0 && found->member <= MEMBERS_MAX;
    return known ? members->rows[found->member - 1].name : "";
}

static void remember(struct findings *findings, const struct trace *trace,
                     const struct session_finding *found, char *path) {
    const struct trace_frame *place = trace_finding_place(trace);
    findings->notes = realloc(findings->notes, (findings->count + 1) * sizeof *findings->notes);
    CHECK(findings->notes);
    findings->notes[findings->count++] = (struct finding_note){
        .kind = trace->finding.kind,
        .message = message_of(trace),
        .function = own(place ? place->function : ""),
        .file = own(place ? place->file : ""),
        .line = place ? place->line : 0,
        .delays = found->delays,
        .trace = path,
        .summary = summary_of(trace),
        .evidence = trace->evidence,
        .switches = trace_switches(trace),
        .passing = trace->passing_event_count > 0,
    };
    snprintf(findings->notes[findings->count - 1].found_by, MEMBER_NAME, "%.*s", MEMBER_NAME - 1,
             found_by(findings, found));
}

static void report(struct findings *findings, const struct trace *trace, const char *path) {
    char command[2 * PATH_MAX], tool[PATH_MAX], quoted[PATH_MAX];
    bool verbose = findings->source.options->verbose;
    struct text_view view = {
        .columns = {.style = style_of(stdout), .all = verbose, .source = verbose},
        .pid = findings->source.session->pid,
    };
    if (path != NULL) {
        snprintf(command, sizeof command, "%s replay %s", say_quoted(say_tool(), tool, sizeof tool),
                 say_quoted(path, quoted, sizeof quoted));
        view.replay_command = command;
    }
    progress_wipe(findings->progress);
    if (findings->count > 1)
        fputc('\n', stdout);
    text_report(trace, &view, stdout);
    fflush(stdout);
}

/* The trace in the file takes the place of this one, if there is a smaller schedule or more is known of it. */
static void minimise(const struct findings *findings, struct trace *trace, const char *path) {
    struct trace smaller;
    char error[PATH_MAX + 200];
    if (path == NULL || findings->count >= MINIMISED_MAX || !minimise_is_possible(trace) ||
        findings->source.options->minimise == MINIMISE_OFF || !minimiser_run(path))
        return;
    bool read = trace_read(&smaller, path, error, sizeof error);
    trace_destroy(read ? trace : &smaller);
    if (read)
        *trace = smaller;
}

static void take(struct findings *findings, const struct session_finding *found) {
    struct trace trace;
    char error[PATH_MAX + 200];
    findings_symbols(findings);
    const struct collect_subject subject = {.execution = &found->execution,
                                            .finding = &found->finding,
                                            .at_execution = found->at_execution};
    collect_trace(&trace, &findings->source, &subject);
    char *path = trace_path(findings, findings->count + 1);
    if (!trace_write(&trace, path, error, sizeof error)) {
        progress_wipe(findings->progress);
        say_error(0, "%s", error);
        free(path);
        path = NULL;
    }
    minimise(findings, &trace, path);
    remember(findings, &trace, found, path);
    report(findings, &trace, path);
    if (found->member > 0)
        printf("found by %s\n", found_by(findings, found));
    if (found->delays >= 0)
        printf("found by %d delay%s from what the explorer prescribes\n", found->delays,
               found->delays == 1 ? "" : "s");
    trace_destroy(&trace);
}

void findings_take(struct findings *findings) {
    const struct session *session = findings->source.session;
    /* An entry is complete before it is linked (engine/explore/confirm.c). */
    for (;;) {
        struct session_finding *const *link =
            findings->last_seen ? &findings->last_seen->next : &session->findings;
        const struct session_finding *found = __atomic_load_n(link, __ATOMIC_ACQUIRE);
        if (found == NULL || !sound_finding(session, found))
            return;
        take(findings, found);
        findings->last_seen = found;
    }
}
