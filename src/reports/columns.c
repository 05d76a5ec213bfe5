/* columns.c - see columns.h.
 *
 *      step  T0 (main)          T1 (worker)        T2 (worker)
 *         7                     12: lock a
 *         8                                        21: lock b
 *         -                     13: blocked: lock b
 *
 * A row has one cell, so its text may run over the columns to its right. Text that does not fit in
 * the line continues below, indented. A task has a column only if one of its steps is shown. Narrow
 * columns have a number instead of a name, and a legend above them. With still more tasks the
 * schedule becomes a list that names the task in each row. */
#define _GNU_SOURCE
#include "reports/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "reports/describe.h"
#include "reports/wrap.h"
#include "reports/utf8.h"

enum {
    MARGIN = 7,        /* the number of the step and two blanks */
    LAST_MINIMUM = 30, /* width of the last column */
    STRIDE_MINIMUM = 5,
    EQUAL_MINIMUM = 14,
    NAME_MINIMUM = 10, /* narrower columns have a number only, and a legend */
    STRIDE_MAXIMUM = 30,
    LIST_NAME = 6, /* "T12   " */
};

struct layout {
    const struct trace *trace;
    const struct columns_view *view;
    FILE *out;
    const char *file;     /* places in this file are shown by their line only */
    uint32_t first, last; /* the events that are shown; `last` is the first that is not */
    uint32_t *column_of;  /* by task; NO_TASK: the task is not shown */
    uint32_t columns;
    uint32_t stride; /* from one column to the next; 0: the schedule is a list */
};

static uint32_t column_start(const struct layout *layout, uint32_t task) {
    return MARGIN + layout->column_of[task] * layout->stride;
}

/* Prints a drafted cell and ends the draft. */
static void print_cell(struct layout *layout, const char *step, uint32_t task, const char *colour,
                       struct wrap_draft *cell) {
    uint32_t start = column_start(layout, task);
    char *text = wrap_drafted(cell);
    fprintf(layout->out, "%*s", MARGIN - 2, step);
    fprintf(layout->out, "%*s%s", (int)start - (MARGIN - 2), "", colour);
    if (layout->stride == 0) {
        fprintf(layout->out, "T%-*" PRIu32, LIST_NAME - 1, task);
        start += LIST_NAME;
    }
    wrap_text(text, start, start + 2, layout->out);
    fprintf(layout->out, "%s\n", layout->view->style->plain);
    free(text);
}

/* Prints the source line of an event below it, faint. A long line begins further to the left. */
static void print_source(struct layout *layout, const struct event *event) {
    const struct trace_frame *frame = trace_place(layout->trace, event->stack);
    const struct style *style = layout->view->style;
    struct wrap_draft draft;
    if (frame == NULL || frame->source[0] == '\0')
        return;
    describe_text(frame->source, wrap_draft(&draft));
    char *source = wrap_drafted(&draft);
    uint32_t start = column_start(layout, event->task), width = utf8_text_width(source) + 2;
    if (start + width > WRAP_WIDTH)
        start = width + MARGIN < WRAP_WIDTH ? WRAP_WIDTH - width : MARGIN;
    fprintf(layout->out, "%*s%s| ", (int)start, "", style->faint);
    wrap_cut(source, WRAP_WIDTH - start - 2, layout->out);
    fprintf(layout->out, "%s\n", style->plain);
    free(source);
}

static void print_event(struct layout *layout, uint32_t at) {
    const struct event *event = &layout->trace->events[at];
    struct wrap_draft cell;
    char step[16];
    FILE *out = wrap_draft(&cell);
    describe_line(layout->trace, event->stack, layout->file, out);
    describe_event(layout->trace, event, out);
    snprintf(step, sizeof step, "%" PRIu32, at + 1);
    print_cell(layout, step, event->task, "", &cell);
    if (layout->view->source && !(event->flags & EVENT_NOTE))
        print_source(layout, event);
}

static void print_blocked(struct layout *layout, const struct finding_wait *wait) {
    struct wrap_draft cell;
    FILE *out = wrap_draft(&cell);
    describe_line(layout->trace, wait->stack, layout->file, out);
    fputs("blocked: ", out);
    describe_op(layout->trace, &wait->op, out);
    print_cell(layout, "-", wait->task, layout->view->style->bad, &cell);
}

/* Prints one place of the finding. The first place is the one where the finding came to light. */
static void print_place(struct layout *layout, uint32_t at) {
    const struct finding *finding = &layout->trace->finding;
    const struct finding_stack *stack = &finding->stacks[at];
    struct wrap_draft cell;
    if (stack->task == NO_TASK)
        return;
    FILE *out = wrap_draft(&cell);
    describe_line(layout->trace, stack->stack, layout->file, out);
    if (at == 0)
        fputs(finding_info(finding->kind)->title, out);
    if (at > 0 || finding->stack_count > 1) {
        fputs(at == 0 ? ": " : "", out);
        describe_text(stack->title, out);
    }
    print_cell(layout, "!", stack->task, layout->view->style->bad, &cell);
}

/* Prints the finding with its places. The last place comes first, so the older access of a race
 * stands above the newer one. */
static void print_finding(struct layout *layout) {
    const struct finding *finding = &layout->trace->finding;
    for (uint32_t i = 0; i < finding->wait_count; i++)
        print_blocked(layout, &finding->waits[i]);
    for (uint32_t i = finding->wait_count ? 0 : finding->stack_count; i-- > 0;)
        print_place(layout, i);
}

/* Prints the name of a task above its column. */
static void print_name(struct layout *layout, uint32_t task) {
    bool last = layout->column_of[task] == layout->columns - 1;
    uint32_t width = last ? WRAP_WIDTH - column_start(layout, task) : layout->stride - 1;
    struct wrap_draft whole, name;
    describe_task(layout->trace, task, wrap_draft(&whole));
    wrap_cut(wrap_drafted(&whole), width, wrap_draft(&name));
    uint32_t used = utf8_text_width(wrap_drafted(&name));
    fprintf(layout->out, "%s%*s", name.text, last ? 0 : (int)(layout->stride - used), "");
    free(whole.text);
    free(name.text);
}

/* The last shown task of an unbroken row that begins at `task` and runs the same function. */
static uint32_t last_alike(const struct layout *layout, uint32_t task) {
    const struct trace_task *tasks = layout->trace->tasks;
    uint32_t last = task;
    while (last + 1 < layout->trace->task_count && layout->column_of[last + 1] != NO_TASK &&
           strcmp(tasks[last + 1].function, tasks[task].function) == 0)
        last++;
    return last;
}

/* "T0 (main), T1 to T11 (worker)" */
static void print_legend(struct layout *layout) {
    struct wrap_draft legend;
    FILE *out = wrap_draft(&legend);
    for (uint32_t task = 0; task < layout->trace->task_count; task++) {
        if (layout->column_of[task] == NO_TASK)
            continue;
        uint32_t last = last_alike(layout, task);
        fputs(layout->column_of[task] > 0 ? ", " : "", out);
        if (last > task)
            fprintf(out, "T%" PRIu32 " to ", task);
        describe_task(layout->trace, last, out);
        task = last;
    }
    wrap_text(wrap_drafted(&legend), MARGIN, MARGIN, layout->out);
    free(legend.text);
}

/* The number of blanks between the number of the task before and the number of this one. */
static int gap_before(const struct layout *layout, uint32_t task) {
    char before[16] = "";
    uint32_t last = task;
    while (last > 0 && layout->column_of[last - 1] == NO_TASK)
        last--;
    if (layout->column_of[task] == 0)
        return 0;
    int used = snprintf(before, sizeof before, "T%" PRIu32, last - 1);
    return (int)layout->stride - used;
}

static void print_heading(struct layout *layout) {
    const struct style *style = layout->view->style;
    bool narrow = layout->stride < NAME_MINIMUM;
    fprintf(layout->out, "%s%*s  ", style->strong, MARGIN - 2, narrow ? "" : "step");
    if (narrow)
        print_legend(layout);
    if (narrow && layout->stride > 0)
        fprintf(layout->out, "\n%*s  ", MARGIN - 2, "step");
    for (uint32_t task = 0; layout->stride && task < layout->trace->task_count; task++)
        if (layout->column_of[task] != NO_TASK && narrow)
            fprintf(layout->out, "%*sT%" PRIu32, gap_before(layout, task), "", task);
        else if (layout->column_of[task] != NO_TASK)
            print_name(layout, task);
    fprintf(layout->out, "%s\n", style->plain);
}

/* The file of the finding, or else of the first event that has one. */
static void find_file(struct layout *layout) {
    const struct trace_frame *place = trace_finding_place(layout->trace);
    for (uint32_t i = 0; i < layout->trace->event_count && (!place || !place->file[0]); i++)
        place = trace_place(layout->trace, layout->trace->events[i].stack);
    layout->file = place ? place->file : "";
}

static void find_columns(struct layout *layout) {
    const struct trace *trace = layout->trace;
    const struct finding *finding = &trace->finding;
    bool *shown = calloc(trace->task_count, sizeof *shown);
    CHECK(shown);
    layout->columns = 0;
    for (uint32_t i = layout->first; i < layout->last; i++)
        shown[trace->events[i].task] = true;
    for (uint32_t i = 0; i < finding->wait_count; i++)
        shown[finding->waits[i].task] = true;
    for (uint32_t i = 0; i < finding->stack_count; i++)
        if (finding->stacks[i].task != NO_TASK)
            shown[finding->stacks[i].task] = true;
    for (uint32_t task = 0; task < trace->task_count; task++)
        layout->column_of[task] = shown[task] ? layout->columns++ : NO_TASK;
    free(shown);
}

static void set_stride(struct layout *layout) {
    uint32_t gaps = layout->columns > 1 ? layout->columns - 1 : 1;
    layout->stride = (WRAP_WIDTH - MARGIN - LAST_MINIMUM) / gaps;
    /* Equal columns are best. Columns wider than that are harder to read. */
    uint32_t equal = layout->columns ? (WRAP_WIDTH - MARGIN) / layout->columns : 0;
    if (equal >= EQUAL_MINIMUM)
        layout->stride = equal;
    if (layout->stride > STRIDE_MAXIMUM)
        layout->stride = STRIDE_MAXIMUM;
    if (layout->stride < STRIDE_MINIMUM)
        layout->stride = 0;
}

/* --- which steps --- */

static uint32_t lines_of(struct layout *layout, uint32_t event) {
    FILE *out = layout->out;
    struct wrap_draft draft;
    uint32_t lines = 0;
    layout->out = wrap_draft(&draft);
    print_event(layout, event);
    layout->out = out;
    for (const char *at = wrap_drafted(&draft); *at != '\0'; at++)
        lines += *at == '\n';
    free(draft.text);
    return lines;
}

/* Chooses all events, or as many before the finding as fit in the lines. Leaving out an event never
 * makes more or narrower columns, so events that fitted before still fit. */
static void find_window(struct layout *layout) {
    uint32_t end = trace_events_before(layout->trace), lines = 0;
    layout->last = layout->view->all ? layout->trace->event_count : end;
    if (!layout->view->all && end > COLUMNS_LINES)
        layout->first = end - COLUMNS_LINES;
    find_columns(layout);
    set_stride(layout);
    uint32_t at = layout->view->all ? 0 : end;
    while (at > layout->first && (lines += lines_of(layout, at - 1)) <= COLUMNS_LINES)
        at--;
    if (at == layout->first)
        return;
    layout->first = at;
    find_columns(layout);
    set_stride(layout);
}

static void print_left_out(struct layout *layout, uint32_t count, const char *which) {
    if (count > 0)
        fprintf(layout->out, "%*s  (%" PRIu32 " %s step%s: -v, or heddle show)\n", MARGIN - 2,
                "...", count, which, count == 1 ? "" : "s");
}

void columns_print(const struct trace *trace, const struct columns_view *view, FILE *out) {
    struct layout layout = {.trace = trace, .view = view, .out = out};
    uint32_t end = trace_events_before(trace);
    layout.column_of = calloc(trace->task_count, sizeof *layout.column_of);
    CHECK(layout.column_of);
    find_file(&layout);
    find_window(&layout);
    print_heading(&layout);
    print_left_out(&layout, layout.first, "earlier");
    for (uint32_t i = layout.first; i < end; i++)
        print_event(&layout, i);
    print_finding(&layout);
    for (uint32_t i = end; i < layout.last; i++)
        print_event(&layout, i);
    print_left_out(&layout, trace->event_count - layout.last, "later");
    free(layout.column_of);
}
