/* view.h - the state of the screen alone: what part of the model is shown, and what is being
 * typed. */
#ifndef CLI_SIM_VIEW_H
#define CLI_SIM_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/sim/pattern.h"

enum view_mode {
    VIEW_STATE,       /* tasks, history, source */
    VIEW_TEXT,        /* a text on the whole screen: a report, help, a stack */
    VIEW_PROMPT,      /* the user types a line */
    VIEW_BREAKPOINTS, /* the list of breakpoints */
};

enum prompt_purpose { PROMPT_RUN, PROMPT_BREAK, PROMPT_SAVE };

enum { PROMPT_SIZE = 512 };

struct view {
    const char *program; /* the program in the title, borrowed */
    enum view_mode mode;
    bool history;        /* the user selects steps of the history, not tasks */
    uint32_t event;      /* the selected step */
    uint32_t breakpoint; /* the selected breakpoint */

    enum prompt_purpose purpose;
    char typed[PROMPT_SIZE];

    const char *title; /* the title of the text, borrowed */
    char *text;        /* the text, owned */
    uint32_t top;      /* the first line of the text on the screen */

    int text_rows, history_rows; /* how many lines are visible; set by the functions that draw */
};

void view_destroy(struct view *view);

/* Takes `text`. Lines longer than `width` characters continue on the next line. */
void view_show_text(struct view *view, const char *title, char *text, int width);
void view_scroll(struct view *view, int lines);

void view_prompt(struct view *view, enum prompt_purpose purpose, const char *typed);

/* Returns a line of the text, or NULL after the last one. */
const char *view_line(const struct view *view, uint32_t at);
uint32_t view_lines(const struct view *view);

#endif
