/* text.c - see text.h.
 *
 *     ==4711==ERROR: heddle: deadlock: ...
 *       T1 (consumer) waits for mutex `a`, held by T2 (producer),
 *       ...
 *         #0 consumer queue_test.c:31
 *     Schedule: the last 25 of 40 steps
 *     ...
 *     Replay: heddle replay queue_test.trace */
#include "reports/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "reports/describe.h"
#include "reports/evidence.h"
#include "reports/frame.h"
#include "reports/wrap.h"
#include "trace/identity.h"
#include "execution/waits.h"

enum { INDENT = 2, FRAME_INDENT = 4, SOURCE_INDENT = 7 };

/* Prints a drafted sentence on lines of its own and ends the draft. */
static void print_sentence(struct wrap_draft *draft, FILE *out) {
    char *text = wrap_drafted(draft);
    fprintf(out, "%*s", INDENT, "");
    wrap_text(text, INDENT, 2 * INDENT, out);
    fputc('\n', out);
    free(text);
}

static void print_source(const struct trace_frame *frame, const struct style *style, FILE *out) {
    struct wrap_draft draft;
    describe_text(frame->source, wrap_draft(&draft));
    fprintf(out, "%*s%s| ", SOURCE_INDENT, "", style->faint);
    wrap_cut(wrap_drafted(&draft), WRAP_WIDTH - SOURCE_INDENT - 2, out);
    fprintf(out, "%s\n", style->plain);
    free(draft.text);
}

static bool of_standard_library(const struct trace_frame *frame) {
    static const char *const LIBRARIES[] = {"libc.so", "libstdc++.so", "libc++.so"};
    for (size_t i = 0; i < sizeof LIBRARIES / sizeof *LIBRARIES; i++)
        if (!frame->file[0] && strncmp(frame->module, LIBRARIES[i], strlen(LIBRARIES[i])) == 0)
            return true;
    return frame->file[0] && !trace_own_code(frame);
}

/* The number of frames of a stack that are shown. Behind the outermost function of the user, each
 * stack of a std::thread has the same six frames of the library. */
static uint32_t frames_shown(const struct trace *trace, uint32_t stack) {
    const struct trace_frame *frame;
    uint32_t depth = 0, shown = 0;
    for (; (frame = trace_frame(trace, stack, depth)) != NULL; depth++)
        if (!of_standard_library(frame))
            shown = depth + 1;
    return shown > 0 ? shown : depth;
}

void text_stack(const struct trace *trace, uint32_t stack, const struct style *style, FILE *out) {
    const struct trace_frame *place = trace_place(trace, stack);
    uint32_t shown = frames_shown(trace, stack);
    if (place == NULL)
        fputs("    (no stack was recorded)\n", out);
    for (uint32_t depth = 0; depth < shown; depth++) {
        const struct trace_frame *frame = trace_frame(trace, stack, depth);
        frame_print(trace, depth, frame, FRAME_INDENT, out);
        fputc('\n', out);
        if (frame != place || frame->source[0] == '\0')
            continue;
        print_source(frame, style, out);
        place = NULL; /* once, since a recursion has the same frame again */
    }
}

static void print_cycle(const struct trace *trace, FILE *out) {
    const struct finding_wait *first = waits_cycle(&trace->finding);
    struct wrap_draft draft;
    if (first == NULL)
        return;
    FILE *sentence = wrap_draft(&draft);
    describe_cycle(trace, first, ",\nwhich ", sentence);
    fputc('.', sentence);
    print_sentence(&draft, out);
    fputc('\n', out);
}

static void print_waits(const struct trace *trace, const struct style *style, FILE *out) {
    const struct finding *finding = &trace->finding;
    for (uint32_t i = 0; i < finding->wait_count; i++) {
        const struct finding_wait *wait = &finding->waits[i];
        struct wrap_draft draft;
        FILE *sentence = wrap_draft(&draft);
        describe_task(trace, wait->task, sentence);
        fputc(' ', sentence);
        describe_waiting(trace, wait, sentence);
        fputs(" at:", sentence);
        print_sentence(&draft, out);
        text_stack(trace, wait->stack, style, out);
    }
}

static void print_stacks(const struct trace *trace, const struct style *style, FILE *out) {
    for (uint32_t i = 0; i < trace->finding.stack_count; i++) {
        struct wrap_draft draft;
        FILE *sentence = wrap_draft(&draft);
        describe_place(trace, i, sentence);
        fputs(" at:", sentence);
        print_sentence(&draft, out);
        text_stack(trace, trace->finding.stacks[i].stack, style, out);
    }
}

static void print_creations(const struct trace *trace, const struct style *style, FILE *out) {
    for (uint32_t task = 0; task < trace->task_count; task++) {
        if (!trace_takes_part(trace, task) || trace->tasks[task].stack == 0)
            continue;
        struct wrap_draft draft;
        FILE *sentence = wrap_draft(&draft);
        describe_task(trace, task, sentence);
        fputs(" was created by ", sentence);
        describe_task(trace, trace->tasks[task].parent, sentence);
        fputs(" at:", sentence);
        print_sentence(&draft, out);
        text_stack(trace, trace->tasks[task].stack, style, out);
    }
}

/* The number of a process has up to seven digits. Lines are broken as if it had seven, so that the
 * same finding is always printed alike. */
static void print_headline(const struct trace *trace, const struct text_view *view, FILE *out) {
    const struct style *style = view->columns.style;
    struct wrap_draft draft;
    describe_finding(trace, wrap_draft(&draft));
    fprintf(out, "%s==%d==ERROR: heddle: ", style->bad, view->pid);
    wrap_text(wrap_drafted(&draft), (uint32_t)strlen("==1234567==ERROR: heddle: "), FRAME_INDENT,
              out);
    fprintf(out, "%s\n", style->plain);
    free(draft.text);
}

static void print_steps(const struct trace *trace, FILE *out) {
    fprintf(out, ", %" PRIu32 " step%s:\n", trace->event_count, trace->event_count == 1 ? "" : "s");
}

static void print_schedule(const struct trace *trace, const struct text_view *view, FILE *out) {
    fprintf(out, "\n%sSchedule%s", view->columns.style->strong, view->columns.style->plain);
    if (trace->evidence.smallness == SMALLNESS_UNKNOWN && trace->at_execution > 0)
        fprintf(out, " of execution %" PRIu64, trace->at_execution);
    print_steps(trace, out);
    columns_print(trace, &view->columns, out);
}

/* Prints the passing schedule too, if the view shows all events. */
static void print_passing(const struct trace *trace, const struct text_view *view, FILE *out) {
    const struct style *style = view->columns.style;
    struct trace passing;
    if (!view->columns.all || !trace_passing(trace, &passing))
        return;
    fprintf(out, "\n%sPassing schedule%s", style->strong, style->plain);
    print_steps(&passing, out);
    columns_print(&passing, &view->columns, out);
}

/* Control characters are removed, and long lines are cut. */
static void print_wrote(const struct trace *trace, const struct style *style, FILE *out) {
    if (trace->wrote_count > 0)
        fprintf(out, "\n%sThe program wrote:%s\n", style->strong, style->plain);
    for (uint32_t i = 0; i < trace->wrote_count; i++) {
        struct wrap_draft draft;
        FILE *line = wrap_draft(&draft);
        fputs("  | ", line);
        describe_text(trace->wrote[i], line);
        wrap_cut(wrap_drafted(&draft), WRAP_WIDTH, out);
        fputc('\n', out);
        free(draft.text);
    }
}

static void print_finding(const struct trace *trace, const struct text_view *view, FILE *out) {
    const struct style *style = view->columns.style;
    print_headline(trace, view, out);
    print_cycle(trace, out);
    print_waits(trace, style, out);
    print_stacks(trace, style, out);
    print_creations(trace, style, out);
    print_wrote(trace, style, out);
}

void text_report(const struct trace *trace, const struct text_view *view, FILE *out) {
    const struct style *style = view->columns.style;
    char fingerprint[IDENTITY_SIZE];
    if (trace_fails(trace))
        print_finding(trace, view, out);
    evidence_print(trace, style, out);
    print_schedule(trace, view, out);
    print_passing(trace, view, out);
    if (trace_fails(trace)) {
        identity_of(trace, fingerprint);
        fprintf(out, "\n%sFingerprint:%s %s\n", style->strong, style->plain, fingerprint);
    }
    if (view->replay_command != NULL)
        fprintf(out, "%sReplay:%s %s\n", style->strong, style->plain, view->replay_command);
}

/* The last line is never broken, since scripts search for it. */
void text_summary(const struct trace *trace, FILE *out) {
    const struct trace_frame *place = trace_finding_place(trace);
    if (!trace_fails(trace)) {
        fputs(trace->unfinished ? "SUMMARY: heddle: nothing is wrong up to here; the execution was "
                                  "left unfinished\n"
                                : "SUMMARY: heddle: nothing is wrong in this execution\n",
              out);
        return;
    }
    struct wrap_draft draft;
    FILE *line = wrap_draft(&draft);
    fprintf(line, "SUMMARY: heddle: %s", finding_info(trace->finding.kind)->title);
    if (place != NULL && place->file[0]) {
        fputc(' ', line);
        describe_text(trace_basename(place->file), line);
        fprintf(line, ":%" PRIu32, place->line);
    }
    if (place != NULL && place->function[0]) {
        fputs(" in ", line);
        describe_text(place->function, line);
    }
    wrap_cut(wrap_drafted(&draft), WRAP_WIDTH, out);
    fputc('\n', out);
    free(draft.text);
}
