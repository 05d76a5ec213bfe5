/* columns.c - see columns.h.
 *
 *      step  T0 (main)          T1 (worker)        T2 (worker)
 *         7                     12: lock a
 *         8                                        21: lock b
 *         -                     13: blocked: lock b
 *
 * A row has one cell, so its text may run on over the columns to its right; what does not fit in the
 * line goes on below, indented. Only tasks that appear have a column. With so many of them that a
 * column would be narrower than a name, the schedule becomes a list with the task in each row. */
#define _GNU_SOURCE
#include "reports/columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "reports/describe.h"

enum {
    MARGIN = 7,        /* the number of the step, two blanks */
    LAST_MINIMUM = 30, /* of the last column */
    STRIDE_MINIMUM = 5,
    STRIDE_MAXIMUM = 30,
};

struct layout {
    const struct trace *trace;
    const struct columns_view *view;
    FILE *out;
    const char *file;    /* places in it are shown as a line only */
    uint32_t first;      /* event shown first */
    uint32_t *column_of; /* by task; NO_TASK: not shown */
    uint32_t columns;
    uint32_t stride; /* 0: a list */

    FILE *cell; /* begin_cell .. end_cell */
    char *text;
    size_t length;
};

static uint32_t column_start(const struct layout *layout, uint32_t task) {
    return MARGIN + layout->column_of[task] * layout->stride;
}

/* Characters, not bytes. */
static uint32_t width_of(const char *text, size_t bytes) {
    uint32_t width = 0;
    for (size_t i = 0; i < bytes; i++)
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

/* How many bytes of `text` go into a line of `width`: up to a blank where there is one. */
static size_t fitting(const char *text, uint32_t width) {
    size_t length = strlen(text), end = 0, blank = 0;
    if (width_of(text, length) <= width)
        return length;
    for (uint32_t used = 0; used < width; used++) {
        if (text[end] == ' ')
            blank = end;
        do
            end++;
        while (((unsigned char)text[end] & 0xc0) == 0x80);
    }
    return text[end] == ' ' ? end : blank ? blank : end;
}

static void print_wrapped(struct layout *layout, const char *text, uint32_t start) {
    uint32_t width = COLUMNS_WIDTH - start;
    for (;;) {
        size_t bytes = fitting(text, width);
        fprintf(layout->out, "%.*s", (int)bytes, text);
        text += bytes + strspn(text + bytes, " ");
        if (*text == '\0')
            break;
        fprintf(layout->out, "\n%*s", (int)start + 2, "");
        width = COLUMNS_WIDTH - start - 2;
    }
    fputs(layout->view->style->plain, layout->out);
    fputc('\n', layout->out);
}

static void print_cell(struct layout *layout, const char *step, uint32_t task, const char *colour,
                       const char *text) {
    uint32_t start = column_start(layout, task);
    fprintf(layout->out, "%*s", MARGIN - 2, step);
    fprintf(layout->out, "%*s%s", (int)start - (MARGIN - 2), "", colour);
    if (layout->stride == 0) {
        int written = fprintf(layout->out, "T%-5" PRIu32, task);
        start += (uint32_t)written;
    }
    print_wrapped(layout, text, start);
}

/* A cell is written to the stream that this gives, then printed by end_cell. */
static FILE *begin_cell(struct layout *layout) {
    layout->cell = open_memstream(&layout->text, &layout->length);
    CHECK(layout->cell);
    return layout->cell;
}

static void end_cell(struct layout *layout, const char *step, uint32_t task, const char *colour) {
    CHECK(fclose(layout->cell) == 0);
    print_cell(layout, step, task, colour, layout->text);
    free(layout->text);
}

/* The source line of an event, faint, below it: further to the left if it needs the room. */
static void print_source(struct layout *layout, const struct event *event) {
    const struct trace_frame *frame = trace_place(layout->trace, event->stack);
    const struct style *style = layout->view->style;
    if (frame == NULL || frame->source[0] == '\0')
        return;
    uint32_t start = column_start(layout, event->task), width = COLUMNS_WIDTH - MARGIN - 2;
    size_t bytes = strlen(frame->source);
    if (width_of(frame->source, bytes) > width)
        bytes = fitting(frame->source, width);
    else
        width = width_of(frame->source, bytes);
    if (start + 2 + width > COLUMNS_WIDTH)
        start = COLUMNS_WIDTH - 2 - width;
    FILE *out = begin_cell(layout);
    describe_text(frame->source, out);
    CHECK(fclose(out) == 0);
    fprintf(layout->out, "%*s%s| %.*s%s\n", (int)start, "", style->faint, (int)bytes, layout->text,
            style->plain);
    free(layout->text);
}

static void print_event(struct layout *layout, uint32_t at) {
    const struct event *event = &layout->trace->events[at];
    char step[16];
    FILE *out = begin_cell(layout);
    describe_line(layout->trace, event->stack, layout->file, out);
    describe_event(layout->trace, event, out);
    snprintf(step, sizeof step, "%" PRIu32, at + 1);
    end_cell(layout, step, event->task, "");
    if (layout->view->source && !(event->flags & EVENT_NOTE))
        print_source(layout, event);
}

static void print_blocked(struct layout *layout, const struct finding_wait *wait) {
    FILE *out = begin_cell(layout);
    describe_line(layout->trace, wait->stack, layout->file, out);
    fputs("blocked: ", out);
    describe_op(layout->trace, &wait->op, out);
    end_cell(layout, "-", wait->task, layout->view->style->bad);
}

/* One place of the finding; the first is where it came to light. */
static void print_place(struct layout *layout, uint32_t at) {
    const struct finding *finding = &layout->trace->finding;
    const struct finding_stack *stack = &finding->stacks[at];
    if (stack->task == NO_TASK)
        return;
    FILE *out = begin_cell(layout);
    describe_line(layout->trace, stack->stack, layout->file, out);
    if (at == 0)
        fputs(finding_info(finding->kind)->title, out);
    if (at > 0 || finding->stack_count > 1) {
        fputs(at == 0 ? ": " : "", out);
        describe_text(stack->title, out);
    }
    end_cell(layout, "!", stack->task, layout->view->style->bad);
}

/* What is wrong, where it happened: behind the last event. The places come as in the report, the
 * last first, so the older access of a race stands above the newer. */
static void print_finding(struct layout *layout) {
    const struct finding *finding = &layout->trace->finding;
    for (uint32_t i = 0; i < finding->wait_count; i++)
        print_blocked(layout, &finding->waits[i]);
    for (uint32_t i = finding->wait_count ? 0 : finding->stack_count; i-- > 0;)
        print_place(layout, i);
}

/* The name of a task over its column. */
static void print_name(struct layout *layout, uint32_t task) {
    bool last = layout->column_of[task] == layout->columns - 1;
    uint32_t width = last ? COLUMNS_WIDTH - column_start(layout, task) : layout->stride - 1;
    FILE *out = begin_cell(layout);
    describe_task(layout->trace, task, out);
    CHECK(fclose(out) == 0);
    size_t bytes = fitting(layout->text, width);
    fprintf(layout->out, "%.*s", (int)bytes, layout->text);
    if (!last)
        fprintf(layout->out, "%*s", (int)(layout->stride - width_of(layout->text, bytes)), "");
    free(layout->text);
}

static void print_heading(struct layout *layout) {
    const struct style *style = layout->view->style;
    fprintf(layout->out, "%s%*s  ", style->strong, MARGIN - 2, "step");
    for (uint32_t task = 0; layout->stride && task < layout->trace->task_count; task++)
        if (layout->column_of[task] != NO_TASK)
            print_name(layout, task);
    fprintf(layout->out, "%s%s\n", layout->stride ? "" : "task", style->plain);
}

/* That of the finding, or else of the first event that has one. */
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
    for (uint32_t i = layout->first; i < trace->event_count; i++)
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
    layout->stride = (COLUMNS_WIDTH - MARGIN - LAST_MINIMUM) / gaps;
    /* Wide enough that all columns are equal is best; more than that only spreads the eye. */
    if (layout->columns && (COLUMNS_WIDTH - MARGIN) / layout->columns > layout->stride)
        layout->stride = (COLUMNS_WIDTH - MARGIN) / layout->columns;
    if (layout->stride > STRIDE_MAXIMUM)
        layout->stride = STRIDE_MAXIMUM;
    if (layout->stride < STRIDE_MINIMUM)
        layout->stride = 0;
}

void columns_print(const struct trace *trace, const struct columns_view *view, FILE *out) {
    struct layout layout = {.trace = trace, .view = view, .out = out};
    if (!view->all && trace->event_count > COLUMNS_LAST_EVENTS)
        layout.first = trace->event_count - COLUMNS_LAST_EVENTS;
    layout.column_of = calloc(trace->task_count, sizeof *layout.column_of);
    CHECK(layout.column_of);
    find_file(&layout);
    find_columns(&layout);
    set_stride(&layout);
    print_heading(&layout);
    if (layout.first)
        fprintf(out, "%*s  (%" PRIu32 " earlier steps: -v, or heddle show)\n", MARGIN - 2, "...",
                layout.first);
    for (uint32_t i = layout.first; i < trace->event_count; i++)
        print_event(&layout, i);
    print_finding(&layout);
    free(layout.column_of);
}
