/* history.c - see history.h. As in reports/columns.c, a row has one cell, whose text may extend
 * over the columns to its right. Here it is cut at the end of the line. */
#include "cli/sim/history.h"

#include <inttypes.h>
#include <string.h>

#include "cli/sim/paint.h"
#include "reports/describe.h"

enum { MARGIN = 8, LAST_MINIMUM = 30, STRIDE_MINIMUM = 6, STRIDE_MAXIMUM = 34 };

struct grid {
    int width, stride; /* 0 if there are too many tasks for columns: then a list is shown */
    const char *file;  /* for places in this file only the line is shown */
};

/* Every task that ever existed has a column, so that columns do not move. */
static struct grid make_grid(struct model *model, int width) {
    const struct execution *execution = model_execution(model);
    struct grid grid = {.width = width, .file = ""};
    int tasks = (int)model->session->result.tasks.count;
    grid.stride = tasks > 1 ? (width - MARGIN - LAST_MINIMUM) / (tasks - 1) : 0;
    if (grid.stride > STRIDE_MAXIMUM)
        grid.stride = STRIDE_MAXIMUM;
    if (grid.stride < STRIDE_MINIMUM)
        grid.stride = 0;
    if (execution->event_count > 0) {
        struct stack_view stack = names_event_stack(execution, &execution->events[0]);
        const struct trace_frame *place = names_place(&model->names, &stack);
        grid.file = place != NULL ? place->file : "";
    }
    return grid;
}

static int column_of(const struct grid *grid, uint32_t task) {
    return MARGIN + (int)task * grid->stride;
}

static void draw_heading(struct model *model, const struct grid *grid, int row, bool active) {
    const struct trace *trace = &model->names.trace;
    paint_heading(row, 1, grid->width - 1, active, "step");
    for (uint32_t task = 0; grid->stride && task < model->session->result.tasks.count; task++) {
        bool last = task + 1 == model->session->result.tasks.count;
        int column = column_of(grid, task), room = last ? grid->width - column : grid->stride - 1;
        FILE *out = paint_begin();
        describe_task(trace, task, out);
        fputc(' ', out);
        paint_end(out, row, column, room, active ? PAINT_STRONG : PAINT_HEADING, false);
    }
}

/* Copies an event with the numbers of the table of names. Its note is the only one in that
 * table. */
static struct event nameable(struct model *model, const struct event *event, const char **note) {
    const struct execution *execution = model_execution(model);
    struct event copy = *event;
    names_know_op(&model->names, &event->op);
    *note = event->note ? execution->text + event->note : "";
    copy.note = event->note ? 1 : 0;
    return copy;
}

/* Returns true if the user is asked within a step: the result of its last operation is not known
 * yet. */
static bool is_half_done(const struct model *model, const struct event *event) {
    const struct execution *execution = model_execution(model);
    return !model_selects_tasks(model) && event + 1 == execution->events + execution->event_count;
}

static void print_event(struct model *model, const struct grid *grid, const struct event *event,
                        FILE *out) {
    struct stack_view stack = names_event_stack(model_execution(model), event);
    const struct trace_frame *place = names_place(&model->names, &stack);
    struct trace *trace = &model->names.trace;
    const char *note;
    struct event copy = nameable(model, event, &note);
    if (grid->stride == 0)
        fprintf(out, "T%-5" PRIu32, event->task);
    if (place != NULL && place->file[0]) {
        if (strcmp(place->file, grid->file) != 0)
            fprintf(out, "%s:", trace_basename(place->file));
        fprintf(out, "%" PRIu32 ": ", place->line);
    }
    if (is_half_done(model, event)) {
        describe_op(trace, &copy.op, out);
        fputs(" ...", out);
        return;
    }
    trace->notes = &note;
    trace->note_count = 1;
    describe_event(trace, &copy, out);
    trace->notes = NULL;
    trace->note_count = 0;
}

static void draw_event(struct model *model, const struct grid *grid, uint32_t at, int row,
                       bool selected) {
    const struct event *event = &model_execution(model)->events[at];
    enum paint_role role = selected ? PAINT_SELECTED : PAINT_PLAIN;
    char number[16];
    snprintf(number, sizeof number, "%s%5" PRIu32, selected ? ">" : " ", at + 1);
    paint_text(row, 0, grid->width, role, true, number);
    int column = column_of(grid, event->task);
    FILE *out = paint_begin();
    print_event(model, grid, event, out);
    paint_end(out, row, column, grid->width - column, role, false);
}

/* Puts the selected step in the middle, but leaves no empty rows at the end. */
static uint32_t first_shown(uint32_t count, uint32_t rows, bool selecting, uint32_t selected) {
    uint32_t last = count > rows ? count - rows : 0;
    uint32_t wanted = selected > rows / 2 ? selected - rows / 2 : 0;
    return selecting && wanted < last ? wanted : last;
}

void history_print_step(struct model *model, uint32_t at, FILE *out) {
    const struct grid grid = {.stride = 1, .file = ""};
    const struct event *event = &model_execution(model)->events[at];
    describe_task(&model->names.trace, event->task, out);
    fputs(", ", out);
    print_event(model, &grid, event, out);
}

void history_draw(struct model *model, const struct view *view, int row, int rows, int width) {
    const struct grid grid = make_grid(model, width);
    uint32_t count = model_execution(model)->event_count, visible = rows > 0 ? (uint32_t)rows : 0;
    uint32_t first = first_shown(count, visible, view->history, view->event);
    draw_heading(model, &grid, row, view->history);
    for (uint32_t i = 0; i < visible && first + i < count; i++)
        draw_event(model, &grid, first + i, row + 1 + (int)i,
                   view->history && view->event == first + i);
    if (count == 0)
        paint_text(row + 1, MARGIN, width - MARGIN, PAINT_FAINT, false, "no task has moved yet");
}
