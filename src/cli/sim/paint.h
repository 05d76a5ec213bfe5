/* paint.h - draws text on the terminal, cut to a width in columns. Colours are chosen by roles. */
#ifndef CLI_SIM_PAINT_H
#define CLI_SIM_PAINT_H

#include <stdbool.h>
#include <stdio.h>

enum paint_role {
    PAINT_PLAIN,
    PAINT_STRONG,
    PAINT_FAINT,
    PAINT_BAR,      /* title and keys */
    PAINT_HEADING,  /* the heading of a pane */
    PAINT_SELECTED, /* the selected row of the pane that has the keys */
    PAINT_GOOD,     /* a task that can move */
    PAINT_BAD,      /* a blocked task, or a finding */
    PAINT_ROLES
};

/* Takes over the terminal. With NO_COLOR, and on terminals without colours, only bold, faint and
 * reverse are used. Returns false if the terminal cannot be used. */
bool paint_open(void);
void paint_close(void);

/* Draws at most `width` columns of the text, up to its end or the end of its line; with `fill`,
 * blanks up to the width. Control characters are not drawn. Returns the number of columns. */
int paint_text(int row, int column, int width, enum paint_role role, bool fill, const char *text);

/* Draws the text that is printed between these two calls. */
FILE *paint_begin(void);
int paint_end(FILE *out, int row, int column, int width, enum paint_role role, bool fill);

/* Draws a line with a text in it, over `width` columns. */
void paint_heading(int row, int column, int width, bool active, const char *text);

#endif
