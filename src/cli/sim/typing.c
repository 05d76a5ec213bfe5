/* typing.c - see typing.h. */
#include "cli/sim/typing.h"

#include <curses.h>
#include <string.h>

#define CONTROL(letter) ((letter) - '@')
enum { ESCAPE = 27 };

static bool is_enter(int key) {
    return key == '\r' || key == '\n' || key == KEY_ENTER;
}

static bool is_back(int key) {
    return key == KEY_BACKSPACE || key == 127 || key == CONTROL('H');
}

void typing_in_text(struct simulation *self, int key) {
    struct view *view = &self->view;
    int page = view->text_rows > 1 ? view->text_rows - 1 : 1;
    switch (key) {
    case KEY_DOWN:
    case 'j': view_scroll(view, 1); break;
    case KEY_UP:
    case 'k': view_scroll(view, -1); break;
    case KEY_NPAGE:
    case ' ': view_scroll(view, page); break;
    case KEY_PPAGE: view_scroll(view, -page); break;
    case KEY_HOME: view_scroll(view, INT32_MIN / 2); break;
    case KEY_END: view_scroll(view, INT32_MAX / 2); break;
    case KEY_RESIZE: view_scroll(view, 0); break;
    default: view->mode = VIEW_STATE; break;
    }
}

void typing_in_breakpoints(struct simulation *self, int key) {
    struct view *view = &self->view;
    struct breakpoints *breakpoints = &self->model.breakpoints;
    if ((key == KEY_DOWN || key == 'j') && view->breakpoint + 1 < breakpoints->count)
        view->breakpoint++;
    else if ((key == KEY_UP || key == 'k') && view->breakpoint > 0)
        view->breakpoint--;
    else if (key == 'x' || key == 'd' || key == KEY_DC) {
        breakpoints_remove(breakpoints, view->breakpoint);
        if (view->breakpoint > 0 && view->breakpoint >= breakpoints->count)
            view->breakpoint--;
    } else if (key == 'b')
        view_prompt(view, PROMPT_BREAK, "");
    else if (key == 'q' || key == ESCAPE || key == 'B' || is_enter(key))
        view->mode = VIEW_STATE;
}

static void run_to(struct simulation *self, const char *text) {
    struct goal goal;
    if (goal_parse(&goal, text))
        model_run(&self->model, &goal);
    else
        model_say(&self->model, "'%s' is no number of steps", text);
}

static void add_breakpoint(struct simulation *self, const char *text) {
    if (breakpoints_add(&self->model.breakpoints, text))
        model_say(&self->model, "runs stop before \"%s\"; B lists the breakpoints", text);
    else
        model_say(&self->model, "this is not a breakpoint, or there are too many");
}

static void answer_prompt(struct simulation *self) {
    const char *text = self->view.typed;
    self->view.mode = VIEW_STATE;
    switch (self->view.purpose) {
    case PROMPT_RUN: run_to(self, text); break;
    case PROMPT_BREAK: add_breakpoint(self, text); break;
    case PROMPT_SAVE: save_file(&self->saver, &self->model, text); break;
    }
}

void typing_in_prompt(struct simulation *self, int key) {
    struct view *view = &self->view;
    size_t length = strlen(view->typed);
    size_t limit = view->purpose == PROMPT_SAVE ? sizeof view->typed : PATTERN_SIZE;
    if (is_enter(key))
        answer_prompt(self);
    else if (key == ESCAPE || key == CONTROL('C'))
        view->mode = VIEW_STATE;
    else if (is_back(key)) {
        while (length > 0 && ((unsigned char)view->typed[--length] & 0xc0) == 0x80)
            ;
        view->typed[length] = '\0';
    } else if (key == CONTROL('U'))
        view->typed[0] = '\0';
    else if (key >= ' ' && key < 256 && key != 127 && length + 1 < limit) {
        view->typed[length] = (char)key;
        view->typed[length + 1] = '\0';
    }
}
