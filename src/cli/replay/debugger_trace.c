/* debugger_trace.c - see debugger_trace.h.
 *
 * The file has lines of words with tabs between them. (No text that is shown contains a tab or a
 * newline: describe_text.) The extension needs names for numbers and addresses, and nothing of the
 * format of traces. Names of operations and tasks come in the order of their numbers.
 *
 *     finding    TASK  HEADLINE              missing if nothing is wrong
 *     endless                                the last step does not end
 *     operation  NAME
 *     task       NAME
 *     object     ADDRESS  NAME
 *     event      TASK  PLACE  TEXT
 *     report                                 the lines after this one are the report */
#define _GNU_SOURCE
#include "cli/replay/debugger_trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "reports/describe.h"
#include "reports/text.h"

/* Returns the task to show. A deadlock has no task of its own. */
static uint32_t finding_task(const struct finding *finding) {
    return finding->wait_count > 0 ? finding->waits[0].task : finding->task;
}

static void write_finding(const struct trace *trace, FILE *out) {
    const struct finding *finding = &trace->finding;
    if (!trace_fails(trace))
        return;
    fprintf(out, "finding\t%" PRIu32 "\t%s", finding_task(finding),
            finding_info(finding->kind)->title);
    if (finding->text[0]) {
        fputs(": ", out);
        describe_text(finding->text, out);
    }
    fputc('\n', out);
    if (finding->kind == FINDING_DIVERGENCE)
        fputs("endless\n", out);
}

static void write_names(const struct trace *trace, FILE *out) {
    for (uint32_t kind = 0; kind < OP_KINDS; kind++)
        fprintf(out, "operation\t%s\n", op_info(kind)->name);
    for (uint32_t task = 0; task < trace->task_count; task++) {
        fputs("task\t", out);
        describe_task(trace, task, out);
        fputc('\n', out);
    }
    for (uint32_t i = 0; i < trace->object_count; i++) {
        fprintf(out, "object\t%" PRIu64 "\t", trace->objects[i].address);
        describe_text(trace->objects[i].name, out);
        fputc('\n', out);
    }
}

static void write_event(const struct trace *trace, const struct event *event, FILE *out) {
    const struct trace_frame *place = trace_place(trace, event->stack);
    fprintf(out, "event\t%" PRIu32 "\t", event->task);
    if (place != NULL && place->file[0]) {
        describe_text(trace_basename(place->file), out);
        fprintf(out, ":%" PRIu32, place->line);
    }
    fputc('\t', out);
    describe_event(trace, event, out);
    fputc('\n', out);
}

static void write_report(const struct trace *trace, FILE *out) {
    const struct text_view view = {.columns = {.style = style_of(out)}, .pid = getpid()};
    fputs("report\n", out);
    text_report(trace, &view, out);
    text_summary(trace, out);
}

int debugger_trace(const struct trace *trace) {
    int fd = memfd_create("heddle-trace", 0);
    int copy = fd >= 0 ? dup(fd) : -1;
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (out == NULL)
        return -1;
    write_finding(trace, out);
    write_names(trace, out);
    for (uint32_t i = 0; i < trace->event_count; i++)
        write_event(trace, &trace->events[i], out);
    write_report(trace, out);
    return fclose(out) == 0 ? fd : -1;
}
