/* text.c - see text.h.
 *
 *     ==4711==ERROR: heddle: deadlock: ...
 *       T1 (consumer) waits for mutex `a`, held by T2 (producer),
 *       ...
 *         #0 consumer queue_test.c:31
 *     Schedule: the last 25 of 40 steps
 *     ...
 *     Replay: heddle replay queue_test.trace                                                       */
#include "reports/text.h"

#include <inttypes.h>
#include <string.h>

#include "reports/describe.h"
#include "reports/evidence.h"

/* A path below the directory of the run is shown from there on. */
static const char *short_path(const struct trace *trace, const char *path) {
    size_t length = strlen(trace->directory);
    bool below = length > 1 && strncmp(path, trace->directory, length) == 0 && path[length] == '/';
    return below ? path + length + 1 : path;
}

static void print_frame(const struct trace *trace, uint32_t depth, const struct trace_frame *frame,
                        FILE *out) {
    fprintf(out, "    #%" PRIu32 " ", depth);
    describe_text(frame->function[0] ? frame->function : "??", out);
    fputc(' ', out);
    if (frame->file[0]) {
        describe_text(short_path(trace, frame->file), out);
        fprintf(out, ":%" PRIu32 "\n", frame->line);
    } else {
        fputc('(', out);
        describe_text(frame->module, out);
        fputs(")\n", out);
    }
}

void text_stack(const struct trace *trace, uint32_t stack, const struct style *style, FILE *out) {
    const struct trace_frame *place = trace_place(trace, stack);
    const struct trace_frame *frame;
    if (place == NULL)
        fputs("    (no stack was recorded)\n", out);
    for (uint32_t depth = 0; (frame = trace_frame(trace, stack, depth)) != NULL; depth++) {
        print_frame(trace, depth, frame, out);
        if (frame != place || frame->source[0] == '\0')
            continue;
        fprintf(out, "       %s| ", style->faint);
        describe_text(frame->source, out);
        fprintf(out, "%s\n", style->plain);
        place = NULL; /* once: a recursion has the same frame again */
    }
}

static const struct finding_wait *wait_of(const struct finding *finding, uint32_t task) {
    for (uint32_t i = 0; i < finding->wait_count; i++)
        if (finding->waits[i].task == task)
            return &finding->waits[i];
    return NULL;
}

/* A wait on a cycle: following the holders for as many steps as there are waits ends in one, or at
 * somebody who is not blocked. */
static const struct finding_wait *find_cycle(const struct finding *finding) {
    const struct finding_wait *wait = NULL;
    for (uint32_t from = 0; wait == NULL && from < finding->wait_count; from++) {
        wait = &finding->waits[from];
        for (uint32_t i = 0; wait != NULL && i < finding->wait_count; i++)
            wait = wait_of(finding, wait->holder);
    }
    return wait;
}

static void print_wait(const struct trace *trace, const struct finding_wait *wait, FILE *out) {
    fputs("waits for ", out);
    describe_wait(trace, wait, out);
    if (wait->holder != NO_TASK && wait->op.kind != OP_JOIN) {
        fputs(" held by ", out);
        describe_task(trace, wait->holder, out);
    }
}

/* "T1 waits for mutex `a` held by T2, which waits for mutex `b` held by T1." */
static void print_cycle(const struct trace *trace, FILE *out) {
    const struct finding *finding = &trace->finding;
    const struct finding_wait *first = find_cycle(finding), *wait = first;
    if (first == NULL)
        return;
    fputs("  ", out);
    describe_task(trace, first->task, out);
    fputc(' ', out);
    do {
        print_wait(trace, wait, out);
        wait = wait_of(finding, wait->holder);
        fputs(wait == first ? ".\n" : ",\n    which ", out);
    } while (wait != first);
    fputc('\n', out);
}

static void print_waits(const struct trace *trace, const struct style *style, FILE *out) {
    const struct finding *finding = &trace->finding;
    for (uint32_t i = 0; i < finding->wait_count; i++) {
        const struct finding_wait *wait = &finding->waits[i];
        fputs("  ", out);
        describe_task(trace, wait->task, out);
        fputc(' ', out);
        print_wait(trace, wait, out);
        fputs(" at:\n", out);
        text_stack(trace, wait->stack, style, out);
    }
}

static void print_stacks(const struct trace *trace, const struct style *style, FILE *out) {
    const struct finding *finding = &trace->finding;
    for (uint32_t i = 0; i < finding->stack_count; i++) {
        const struct finding_stack *stack = &finding->stacks[i];
        fputs(finding->kind == FINDING_RACE && i > 0 ? "  previous " : "  ", out);
        describe_text(stack->title[0] ? stack->title : finding_info(finding->kind)->title, out);
        if (stack->task != NO_TASK) {
            fputs(" by ", out);
            describe_task(trace, stack->task, out);
        }
        fputs(" at:\n", out);
        text_stack(trace, stack->stack, style, out);
    }
}

static bool is_part_of(const struct finding *finding, uint32_t task) {
    bool part = finding->task == task || wait_of(finding, task) != NULL;
    for (uint32_t i = 0; i < finding->stack_count; i++)
        part = part || finding->stacks[i].task == task;
    return part;
}

static void print_creations(const struct trace *trace, const struct style *style, FILE *out) {
    for (uint32_t task = 0; task < trace->task_count; task++) {
        if (!is_part_of(&trace->finding, task) || trace->tasks[task].stack == 0)
            continue;
        fputs("  ", out);
        describe_task(trace, task, out);
        fputs(" was created by ", out);
        describe_task(trace, trace->tasks[task].parent, out);
        fputs(" at:\n", out);
        text_stack(trace, trace->tasks[task].stack, style, out);
    }
}

static void print_headline(const struct trace *trace, const struct text_view *view, FILE *out) {
    const struct finding *finding = &trace->finding;
    const struct style *style = view->columns.style;
    fprintf(out, "%s==%d==ERROR: heddle: %s", style->bad, view->pid,
            finding_info(finding->kind)->title);
    if (finding->object) {
        fputs(" on `", out);
        describe_object(trace, finding->object, out);
        fputc('`', out);
    }
    if (finding->text[0]) {
        fputs(": ", out);
        describe_text(finding->text, out);
    }
    fprintf(out, "%s\n", style->plain);
}

static void print_schedule(const struct trace *trace, const struct text_view *view, FILE *out) {
    fprintf(out, "\n%sSchedule%s", view->columns.style->strong, view->columns.style->plain);
    if (trace->evidence.smallness == SMALLNESS_UNKNOWN)
        fprintf(out, " of execution %" PRIu64, trace->at_execution);
    fprintf(out, ", %" PRIu32 " steps:\n", trace->event_count);
    columns_print(trace, &view->columns, out);
}

/* Beside it, whoever wants to see everything gets the one that passes. */
static void print_passing(const struct trace *trace, const struct text_view *view, FILE *out) {
    const struct style *style = view->columns.style;
    struct trace passing;
    if (!view->columns.all || !trace_passing(trace, &passing))
        return;
    fprintf(out, "\n%sPassing schedule%s, %" PRIu32 " steps:\n", style->strong, style->plain,
            passing.event_count);
    columns_print(&passing, &view->columns, out);
}

static void print_finding(const struct trace *trace, const struct text_view *view, FILE *out) {
    const struct style *style = view->columns.style;
    print_headline(trace, view, out);
    print_cycle(trace, out);
    print_waits(trace, style, out);
    print_stacks(trace, style, out);
    print_creations(trace, style, out);
}

void text_report(const struct trace *trace, const struct text_view *view, FILE *out) {
    const struct style *style = view->columns.style;
    if (trace_fails(trace))
        print_finding(trace, view, out);
    evidence_print(trace, style, out);
    print_schedule(trace, view, out);
    print_passing(trace, view, out);
    if (view->replay_command != NULL)
        fprintf(out, "\n%sReplay:%s %s\n", style->strong, style->plain, view->replay_command);
}

void text_summary(const struct trace *trace, FILE *out) {
    const struct trace_frame *place = trace_finding_place(trace);
    if (!trace_fails(trace)) {
        fputs(trace->unfinished ? "SUMMARY: heddle: nothing is wrong up to here; the execution was "
                                  "left unfinished\n"
                                : "SUMMARY: heddle: nothing is wrong in this execution\n",
              out);
        return;
    }
    fprintf(out, "SUMMARY: heddle: %s", finding_info(trace->finding.kind)->title);
    if (place != NULL && place->file[0]) {
        fputc(' ', out);
        describe_text(trace_basename(place->file), out);
        fprintf(out, ":%" PRIu32, place->line);
    }
    if (place != NULL && place->function[0]) {
        fputs(" in ", out);
        describe_text(place->function, out);
    }
    fputc('\n', out);
}
