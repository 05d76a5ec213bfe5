/* tasks.c - see tasks.h. */
#include "cli/sim/tasks.h"

#include <curses.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sim/paint.h"
#include "reports/describe.h"

enum { NAME = 17, OPERATION_MIN = 10, PLACE_MAX = 30, STATE = 14 }; /* the widths of columns */

struct widths {
    int operation, place;
};

static const struct trace_frame *task_place(struct model *model, const struct dialogue_task *task) {
    const struct stack_view stack = names_task_stack(task);
    return names_place(&model->names, &stack);
}

/* The column of places is as wide as necessary, up to a limit. Operations get the rest. */
static struct widths find_widths(struct model *model) {
    const struct dialogue *dialogue = model->dialogue;
    struct widths widths = {.place = (int)strlen("place") + 2};
    for (uint32_t i = 0; i < dialogue->live_count; i++) {
        const struct trace_frame *place = task_place(model, &dialogue->live[i]);
        int width = place != NULL ? (int)strlen(trace_basename(place->file)) + 7 : 0;
        width = width < PLACE_MAX ? width : PLACE_MAX;
        widths.place = width > widths.place ? width : widths.place;
    }
    widths.operation = COLS - NAME - widths.place - STATE - 3;
    if (widths.operation < OPERATION_MIN)
        widths.operation = OPERATION_MIN;
    return widths;
}

static void print_state(const struct dialogue_task *task, FILE *out) {
    if (task->enabled)
        fputs(task->op.timed ? "can time out" : "can move", out);
    else if (task->holder != NO_TASK)
        fprintf(out, "waits for T%" PRIu32, task->holder);
    else
        fputs("waits", out);
}

static void draw_task(struct model *model, const struct widths *widths,
                      const struct dialogue_task *task, int row, bool active) {
    const struct trace_frame *place = task_place(model, task);
    const struct trace *trace = &model->names.trace;
    bool selected = model->selected == task->task;
    enum paint_role role = selected && active ? PAINT_SELECTED : PAINT_PLAIN;
    enum paint_role state = task->enabled ? PAINT_GOOD : PAINT_BAD;
    int column = 3;
    names_know_op(&model->names, &task->op);
    paint_text(row, 0, COLS, role, true, selected ? ">" : "");
    if (model_moved(model) == task->task)
        paint_text(row, 1, 1, role, false, "*");
    FILE *out = paint_begin();
    describe_task(trace, task->task, out);
    paint_end(out, row, column, NAME - 1, role, false);
    column += NAME;
    out = paint_begin();
    describe_op(trace, &task->op, out);
    paint_end(out, row, column, widths->operation - 1, role, false);
    column += widths->operation;
    out = paint_begin();
    if (place != NULL && place->file[0])
        fprintf(out, "%s:%" PRIu32, trace_basename(place->file), place->line);
    paint_end(out, row, column, widths->place - 1, role, false);
    column += widths->place;
    out = paint_begin();
    print_state(task, out);
    paint_end(out, row, column, STATE, role == PAINT_PLAIN ? state : role, false);
}

static int compare_numbers(const void *a, const void *b) {
    const struct dialogue_task *const *x = a, *const *y = b;
    return ((*x)->task > (*y)->task) - ((*x)->task < (*y)->task);
}

/* Tasks are sorted by number, so that rows do not move. */
static void draw_tasks(struct model *model, int row, int rows, bool active) {
    const struct dialogue *dialogue = model->dialogue;
    const struct dialogue_task *sorted[SESSION_TASKS_MAX];
    const struct widths widths = find_widths(model);
    uint32_t count = dialogue->live_count, first = 0, visible = (uint32_t)rows;
    char heading[240];
    snprintf(heading, sizeof heading, "%-*s%-*s%-*sstate", NAME, "tasks", widths.operation,
             "next operation", widths.place, "place");
    paint_heading(row, 1, COLS - 1, active, heading);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &dialogue->live[i];
    qsort(sorted, count, sizeof sorted[0], compare_numbers);
    for (uint32_t i = 0; i < count; i++)
        if (sorted[i]->task == model->selected && i >= visible)
            first = i - visible + 1;
    for (uint32_t i = 0; i < visible && first + i < count; i++)
        draw_task(model, &widths, sorted[first + i], row + 1 + (int)i, active);
    if (count == 0)
        paint_text(row + 1, 3, COLS - 3, PAINT_FAINT, false,
                   "the execution is over: u goes back one step");
}

static void draw_options(struct model *model, int row, int rows, bool active) {
    uint32_t visible = (uint32_t)rows;
    uint32_t first = model->selected >= visible ? model->selected - visible + 1 : 0;
    paint_heading(row, 1, COLS - 1, active, "options");
    for (uint32_t i = first; i < first + visible && i < model->dialogue->count; i++) {
        bool selected = i == model->selected;
        FILE *out = paint_begin();
        fprintf(out, "%s %3" PRIu32 "  ", selected ? ">" : " ", i);
        model_print_option(model, i, out);
        paint_end(out, row + 1 + (int)(i - first), 0, COLS,
                  selected && active ? PAINT_SELECTED : PAINT_PLAIN, true);
    }
}

void tasks_draw(struct model *model, int row, int rows, bool active) {
    if (model_selects_tasks(model))
        draw_tasks(model, row, rows, active);
    else
        draw_options(model, row, rows, active);
}
