/* findings.c - see findings.h. Nothing found is lost when the run ends badly: the trace is on disk
 * before anything is printed. */
#define _GNU_SOURCE
#include "cli/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "cli/minimise.h"
#include "cli/minimiser.h"
#include "cli/say.h"
#include "cli/sound.h"
#include "cli/wrote.h"
#include "reports/describe.h"
#include "reports/text.h"
#include "reports/wrap.h"
#include "trace/file.h"

enum {
    MINIMISED_MAX = 10, /* of one run: the rest is reported as it was found */
    MINIMISE_MS = 3000, /* so long may that take; */
    LEAST_MS = 500,     /* but so long even when --timeout is over */
};

static const char SUFFIX[] = ".trace";

static uint64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* The time that is left of --timeout, within bounds. */
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
    if (source->options->engine.timeout_ms)
        findings->end_ms = now_ms() + source->options->engine.timeout_ms;
}

static void destroy_notes(struct finding_note *notes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        char *texts[] = {notes[i].message, notes[i].function, notes[i].file, notes[i].trace,
                         notes[i].summary, notes[i].report,   notes[i].wrote};
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++)
            free(texts[j]);
    }
    free(notes);
}

void findings_turn_to(struct findings *findings, const struct session *session) {
    findings->source.session = session;
    findings->last_seen = NULL;
    findings->taken = 0;
}

void findings_destroy(struct findings *findings) {
    destroy_notes(findings->notes, findings->count);
    destroy_notes(findings->suppressed, findings->suppressed_count);
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
    struct wrap_draft draft;
    text_summary(trace, wrap_draft(&draft));
    return wrap_drafted(&draft);
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

/* The lines that the program wrote; NULL: none. */
static char *wrote_by(const struct trace *trace) {
    struct wrap_draft draft;
    if (trace->wrote_count == 0)
        return NULL;
    FILE *out = wrap_draft(&draft);
    for (uint32_t i = 0; i < trace->wrote_count; i++)
        fprintf(out, "%s%s", i > 0 ? "\n" : "", trace->wrote[i]);
    return wrap_drafted(&draft);
}

/* The last of a list that grows. */
static struct finding_note *add_note(struct finding_note **notes, uint32_t *count) {
    *notes = realloc(*notes, (*count + 1) * sizeof **notes);
    CHECK(*notes);
    return &(*notes)[(*count)++];
}

static void fill_note(struct findings *findings, struct finding_note *note,
                      const struct trace *trace, const struct session_finding *found) {
    const struct trace_frame *place = trace_finding_place(trace);
    *note = (struct finding_note){
        .kind = trace->finding.kind,
        .message = message_of(trace),
        .function = own(place ? place->function : ""),
        .file = own(place ? place->file : ""),
        .line = place ? place->line : 0,
        .delays = found->delays,
        .summary = summary_of(trace),
        .evidence = trace->evidence,
        .switches = trace_switches(trace),
        .passing = trace->passing_event_count > 0,
        .wrote = wrote_by(trace),
    };
    identity_of(trace, note->fingerprint);
    snprintf(note->found_by, MEMBER_NAME, "%.*s", MEMBER_NAME - 1, found_by(findings, found));
}

/* --- one finding --- */

/* The same text for people and for files; `path` is that of the trace, or NULL. */
static void write_report(const struct findings *findings, const struct trace *trace,
                         const char *path, const struct style *style, FILE *out) {
    char command[2 * PATH_MAX], tool[PATH_MAX], quoted[PATH_MAX];
    bool verbose = findings->source.options->verbose;
    struct text_view view = {
        .columns = {.style = style, .all = verbose, .source = verbose},
        .pid = findings->source.session->pid,
    };
    if (path != NULL) {
        snprintf(command, sizeof command, "%s replay %s", say_quoted(say_tool(), tool, sizeof tool),
                 say_quoted(path, quoted, sizeof quoted));
        view.replay_command = command;
    }
    text_report(trace, &view, out);
}

static char *report_text(const struct findings *findings, const struct trace *trace,
                         const char *path) {
    struct wrap_draft draft;
    write_report(findings, trace, path, style_none(), wrap_draft(&draft));
    return wrap_drafted(&draft);
}

static void print_report(struct findings *findings, const struct trace *trace,
                         const struct finding_note *note) {
    progress_wipe(findings->progress);
    if (findings->count > 1)
        fputc('\n', stdout);
    write_report(findings, trace, note->trace, style_of(stdout), stdout);
    if (note->found_by[0])
        printf("found by %s\n", note->found_by);
    if (note->delays >= 0)
        printf("found by %d delay%s from what the explorer prescribes\n", note->delays,
               note->delays == 1 ? "" : "s");
}

/* Where it was written to, or NULL. */
static char *write_trace(struct findings *findings, const struct trace *trace) {
    char error[PATH_MAX + 200];
    char *path = trace_path(findings, findings->count + 1);
    if (trace_write(trace, path, error, sizeof error))
        return path;
    progress_wipe(findings->progress);
    say_error(0, "%s", error);
    free(path);
    return NULL;
}

/* The trace in the file takes the place of this one, if there is a smaller schedule or more is known of it. */
static void minimise(const struct findings *findings, struct trace *trace, const char *path) {
    struct trace smaller;
    char error[PATH_MAX + 200];
    if (path == NULL || findings->count >= MINIMISED_MAX || !minimise_is_possible(trace) ||
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
    if (path != NULL && findings->count < MINIMISED_MAX)
        wrote_capture(trace, path, time_for(findings, WROTE_MS));
    struct finding_note *note = add_note(&findings->notes, &findings->count);
    fill_note(findings, note, trace, found);
    note->trace = path;
    print_report(findings, trace, note);
    if (outputs_want_reports(findings->outputs))
        note->report = report_text(findings, trace, path);
    outputs_add(findings->outputs, trace, &(struct sarif_finding){.trace = path});
    fflush(stdout);
}

static void suppress(struct findings *findings, const struct trace *trace,
                     const struct session_finding *found, struct suppression *because) {
    struct finding_note *note = add_note(&findings->suppressed, &findings->suppressed_count);
    fill_note(findings, note, trace, found);
    note->because = because;
    because->used++;
    outputs_add(findings->outputs, trace, &(struct sarif_finding){.suppressed = because->text});
}

static struct finding_note *same_note(struct finding_note *notes, uint32_t count,
                                      const char *fingerprint) {
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(notes[i].fingerprint, fingerprint) == 0)
            return &notes[i];
    return NULL;
}

static void take(struct findings *findings, const struct session_finding *found) {
    struct trace trace;
    char fingerprint[IDENTITY_SIZE];
    if (findings->source.options->engine.asks && findings->count > 0)
        return; /* the first is what was asked for */
    findings_symbols(findings);
    const struct collect_subject subject = {.execution = &found->execution,
                                            .finding = &found->finding,
                                            .at_execution = found->at_execution};
    collect_trace(&trace, &findings->source, &subject);
    trace.unfinished = found->unfinished;
    identity_of(&trace, fingerprint);
    struct suppression *because = suppressions_match(findings->suppressions, &trace, fingerprint);
    struct finding_note *same =
        because ? same_note(findings->suppressed, findings->suppressed_count, fingerprint)
                : same_note(findings->notes, findings->count, fingerprint);
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
            findings->last_seen ? &findings->last_seen->next : &session->findings;
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
    return findings->count + findings->source.session->finding_count - findings->taken;
}

static void print_again(const struct findings *findings, FILE *out) {
    uint32_t again = 0;
    for (uint32_t i = 0; i < findings->count; i++)
        again += findings->notes[i].again;
    if (again > 0)
        fprintf(out, "  the same     was found %u more time%s, at other instructions\n", again,
                again == 1 ? "" : "s");
}

void findings_print(const struct findings *findings, bool all, FILE *out) {
    const struct suppressions *suppressions = findings->suppressions;
    print_again(findings, out);
    for (uint32_t i = 0; i < suppressions->count; i++) {
        const struct suppression *at = &suppressions->list[i];
        if (at->used > 0)
            fprintf(out, "  suppressed   %u by ", at->used);
        else if (all)
            fputs("  suppressed   nothing by ", out);
        if (at->used > 0 || all) {
            describe_text(at->text, out);
            fprintf(out, " (line %u)\n", at->line);
        }
    }
}
