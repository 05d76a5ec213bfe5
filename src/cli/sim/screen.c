/* screen.c - see screen.h. Each time the whole screen is drawn; curses sends only the changes to
 * the terminal. */
#include "cli/sim/screen.h"

#include <curses.h>
#include <inttypes.h>
#include <string.h>

#include "base/check.h"
#include "cli/sim/history.h"
#include "cli/sim/paint.h"
#include "cli/sim/tasks.h"
#include "reports/describe.h"

enum { WIDE = 130, SOURCE_ROWS = 9 };

static const char KEYS[] =
    " 0-9 move  u back  f forward  c run  r run to  b break  s save  ? help  q quit";

/* The places of the panes: the first row, and the number of rows below the heading. */
struct layout {
    int tasks, task_rows;
    int history, history_rows, history_width;
    int source, source_rows, source_column;
};

static int at_most(int value, int limit) {
    return value < limit ? value : limit;
}

static int at_least(int value, int limit) {
    return value > limit ? value : limit;
}

/* There is one line for the title, two lines at the bottom, and one heading for each pane. */
static struct layout lay_out(const struct model *model) {
    const struct dialogue *dialogue = model->dialogue;
    struct layout layout = {.tasks = 1, .history_width = COLS};
    int rows = (int)(model_selects_tasks(model) ? dialogue->live_count : dialogue->count);
    int free_rows = at_least(LINES - 6, 3); /* for all three panes */
    bool wide = COLS >= WIDE;
    layout.task_rows = at_least(at_most(rows, free_rows / 3), 1);
    layout.history = layout.tasks + 1 + layout.task_rows;
    layout.source_rows = wide ? free_rows - layout.task_rows + 1
                              : at_most(SOURCE_ROWS, (free_rows - layout.task_rows) / 2);
    layout.history_rows =
        wide ? layout.source_rows : free_rows - layout.task_rows - layout.source_rows;
    if (wide)
        layout.history_width = COLS * 3 / 5;
    layout.source = wide ? layout.history : layout.history + 1 + layout.history_rows;
    layout.source_column = wide ? layout.history_width + 1 : 0;
    return layout;
}

/* --- the lines at the top and at the bottom --- */

static void print_progress(const struct model *model, FILE *out) {
    const struct line *line = &model->line;
    uint32_t breakpoints = model->breakpoints.count;
    fprintf(out, "step %" PRIu32, model_execution(model)->event_count);
    if (line->at < line->count)
        fprintf(out, ", %" PRIu32 " ahead", line->count - line->at);
    if (breakpoints)
        fprintf(out, ", %" PRIu32 " breakpoint%s", breakpoints, breakpoints == 1 ? "" : "s");
}

static void draw_title(const struct model *model, const struct view *view) {
    char progress[80] = " ";
    FILE *out = fmemopen(progress, sizeof progress, "a");
    CHECK(out);
    print_progress(model, out);
    fclose(out);
    int column = at_least(COLS - (int)strlen(progress) - 2, 0);
    out = paint_begin();
    fprintf(out, " heddle sim  %s", view->program);
    paint_end(out, 0, 0, COLS, PAINT_BAR, true);
    paint_text(0, column, COLS - column, PAINT_BAR, true, progress);
}

static void print_question(struct model *model, FILE *out) {
    const struct dialogue *dialogue = model->dialogue;
    if (dialogue->tag == CHOICE_SCHEDULE) {
        const struct dialogue_task *selected = model_task(model, model->selected);
        fputs("Who moves?", out);
        if (selected != NULL && !selected->enabled) {
            fprintf(out, "  T%" PRIu32 " ", selected->task);
            model_print_state(model, selected, out);
        }
        return;
    }
    describe_task(&model->names.trace, dialogue->task, out);
    fputs(dialogue->tag == CHOICE_VALUE  ? " chooses: which value?"
          : dialogue->tag == CHOICE_WAKE ? " wakes: whom?"
                                         : " leaves its wait: how?",
          out);
}

static const struct finding *newest_finding(const struct model *model) {
    uint32_t count = *model->dialogue->finding_count;
    return count > 0 ? &model->dialogue->findings[count - 1] : NULL;
}

static void draw_message(struct model *model, const struct view *view) {
    const struct finding *finding = newest_finding(model);
    bool over = model->dialogue->over;
    FILE *out = paint_begin();
    if (model->message[0]) {
        fputs(model->message, out);
        finding = NULL;
    } else if (view->history && view->event < model_execution(model)->event_count) {
        history_print_step(model, view->event, out);
        finding = NULL;
    } else if (finding != NULL) {
        fprintf(out, "%s", finding_info(finding->kind)->title);
        if (finding->text[0])
            fputs(": ", out);
        describe_text(finding->text, out);
        fputs("  (i: the report)", out);
    } else if (over) {
        model_print_end(model, out);
    } else {
        print_question(model, out);
    }
    paint_end(out, LINES - 2, 1, COLS - 1, finding != NULL ? PAINT_BAD : PAINT_STRONG, false);
}

static void draw_prompt(const struct view *view) {
    static const char *const labels[] = {
        [PROMPT_RUN] = "Run to (20, end, or words: T1 lock queue.c:12 name): ",
        [PROMPT_BREAK] = "Stop before (words: T1 lock queue.c:12 name): ",
        [PROMPT_SAVE] = "Save as: ",
    };
    int used = paint_text(LINES - 2, 1, COLS - 1, PAINT_STRONG, false, labels[view->purpose]);
    size_t length = strlen(view->typed), room = (size_t)at_least(COLS - used - 3, 1);
    const char *shown = view->typed + (length > room ? length - room : 0);
    used += paint_text(LINES - 2, 1 + used, (int)room, PAINT_PLAIN, false, shown);
    paint_text(LINES - 2, 1 + used, 1, PAINT_BAR, true, " ");
}

/* --- source --- */

/* Returns the place of the selected step of the history, or of the selected task; or of the last
 * step if there is no task. */
static const struct trace_frame *place_shown(struct model *model, const struct view *view) {
    const struct execution *execution = model_execution(model);
    uint32_t task = model_selects_tasks(model) ? model->selected : model->dialogue->task;
    const struct dialogue_task *shown = model_task(model, task);
    struct stack_view stack;
    if (view->history && view->event < execution->event_count)
        stack = names_event_stack(execution, &execution->events[view->event]);
    else if (shown != NULL)
        stack = names_task_stack(shown);
    else if (execution->event_count > 0)
        stack = names_event_stack(execution, &execution->events[execution->event_count - 1]);
    else
        return NULL;
    return names_place(&model->names, &stack);
}

static void draw_source(struct model *model, const struct view *view, const struct layout *layout) {
    const struct trace_frame *place = place_shown(model, view);
    int column = layout->source_column, width = COLS - column;
    char heading[200] = "source";
    if (place != NULL && place->file[0])
        snprintf(heading, sizeof heading, "%.80s:%" PRIu32 " in %.80s", trace_basename(place->file),
                 place->line, place->function);
    paint_heading(layout->source, column + 1, width - 1, false, heading);
    if (place == NULL || !place->file[0])
        return;
    uint32_t before = (uint32_t)layout->source_rows / 2;
    uint32_t first = place->line > before ? place->line - before : 1;
    for (uint32_t i = 0; i < (uint32_t)layout->source_rows; i++) {
        uint32_t line = first + i;
        const char *text = source_text(model->names.files, place->file, line);
        if (text == NULL)
            continue;
        bool here = line == place->line;
        FILE *out = paint_begin();
        fprintf(out, "%s%5" PRIu32 "  ", here ? ">" : " ", line);
        fputs(text, out);
        paint_end(out, layout->source + 1 + (int)i, column, width,
                  here ? PAINT_STRONG : PAINT_PLAIN, false);
    }
}

/* --- other views --- */

static void draw_text(struct view *view) {
    view->text_rows = at_least(LINES - 2, 1);
    paint_text(0, 0, COLS, PAINT_BAR, true, view->title);
    for (int row = 0; row < view->text_rows; row++) {
        const char *line = view_line(view, view->top + (uint32_t)row);
        if (line == NULL)
            break;
        paint_text(1 + row, 0, COLS, PAINT_PLAIN, false, line);
    }
    paint_text(LINES - 1, 0, COLS, PAINT_BAR, true, " Up, Down, PgUp, PgDn scroll   q back");
}

static void draw_breakpoints(const struct model *model, const struct view *view) {
    const struct breakpoints *breakpoints = &model->breakpoints;
    paint_text(0, 0, COLS, PAINT_BAR, true,
               " Breakpoints: a run stops before operations with all the words");
    for (uint32_t i = 0; i < breakpoints->count; i++) {
        FILE *out = paint_begin();
        fprintf(out, "%s %2" PRIu32 "  ", i == view->breakpoint ? ">" : " ", i + 1);
        fputs(breakpoints->patterns[i], out);
        paint_end(out, 2 + (int)i, 0, COLS, i == view->breakpoint ? PAINT_SELECTED : PAINT_PLAIN,
                  true);
    }
    if (breakpoints->count == 0)
        paint_text(2, 1, COLS - 1, PAINT_FAINT, false, "There are none.");
    paint_text(LINES - 1, 0, COLS, PAINT_BAR, true,
               " Up, Down select   x delete   b another one   q back");
}

/* --- the whole screen ----------------------------------------------------------------------- */

static void draw_state(struct model *model, struct view *view) {
    struct layout layout = lay_out(model);
    view->history_rows = layout.history_rows;
    draw_title(model, view);
    tasks_draw(model, layout.tasks, layout.task_rows, !view->history);
    history_draw(model, view, layout.history, layout.history_rows, layout.history_width);
    draw_source(model, view, &layout);
    if (view->mode == VIEW_PROMPT)
        draw_prompt(view);
    else
        draw_message(model, view);
    paint_text(LINES - 1, 0, COLS, PAINT_BAR, true, KEYS);
}

void screen_draw(struct model *model, struct view *view) {
    erase();
    switch (view->mode) {
    case VIEW_STATE:
    case VIEW_PROMPT: draw_state(model, view); break;
    case VIEW_TEXT: draw_text(view); break;
    case VIEW_BREAKPOINTS: draw_breakpoints(model, view); break;
    }
    refresh();
}

void screen_draw_busy(const struct model *model, uint64_t milliseconds) {
    const struct line *line = &model->line;
    uint32_t step = line->at > 0 ? line_step(line, line->at) : 0;
    FILE *out = paint_begin();
    if (line->at > 0)
        fprintf(out, "T%" PRIu32 " is in its step", line->decisions[step].chosen);
    else
        fputs("the program starts", out);
    fprintf(out, ", for %.1f s now; q quits", (double)milliseconds / 1000);
    paint_end(out, LINES - 2, 0, COLS, PAINT_STRONG, true);
    refresh();
}
