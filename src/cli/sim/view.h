/* view.h - what of the model is looked at, and what is being typed: the state of the screen alone. */
#ifndef CLI_SIM_VIEW_H
#define CLI_SIM_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/sim/pattern.h"

enum view_mode {
    VIEW_STATE,       /* tasks, history, source */
    VIEW_TEXT,        /* a text over all of it: a report, help, a stack */
    VIEW_PROMPT,      /* a line is being typed */
    VIEW_BREAKPOINTS, /* their list */
};

enum prompt_purpose { PROMPT_RUN, PROMPT_BREAK, PROMPT_SAVE };

enum { PROMPT_SIZE = 512 };

struct view {
    const char *program; /* borrowed: in the title */
    enum view_mode mode;
    bool history;        /* its steps are selected, not tasks */
    uint32_t event;      /* the selected one of them */
    uint32_t breakpoint; /* the selected one of these */

    enum prompt_purpose purpose;
    char typed[PROMPT_SIZE];

    const char *title; /* of the text, borrowed */
    char *text;        /* owned */
    uint32_t top;      /* its first line on the screen */

    int text_rows, history_rows; /* so many lines are visible: set by who draws */
};

void view_destroy(struct view *view);

/* Takes `text`. Lines that are longer than `width` characters go on in the next one. */
void view_show_text(struct view *view, const char *title, char *text, int width);
void view_scroll(struct view *view, int lines);

void view_prompt(struct view *view, enum prompt_purpose purpose, const char *typed);

/* A line of the text, up to its end; NULL behind the last. */
const char *view_line(const struct view *view, uint32_t at);
uint32_t view_lines(const struct view *view);

#endif
