/* paint.h - text on the terminal: clipped to a width in columns, in a role instead of a colour. */
#ifndef CLI_SIM_PAINT_H
#define CLI_SIM_PAINT_H

#include <stdbool.h>
#include <stdio.h>

enum paint_role {
    PAINT_PLAIN,
    PAINT_STRONG,
    PAINT_FAINT,
    PAINT_BAR,      /* title and keys */
    PAINT_HEADING,  /* of a pane */
    PAINT_SELECTED, /* of the pane that keys go to */
    PAINT_GOOD,     /* can move */
    PAINT_BAD,      /* blocked, found */
    PAINT_ROLES
};

/* Takes over the terminal; NO_COLOR and terminals without colours get bold, faint and reverse only. False:
 * it cannot be used. */
bool paint_open(void);
void paint_close(void);

/* At most `width` columns of the text up to its end or the end of its line; blanks up to that if `fill`.
 * Control characters do not get through. How many columns it took. */
int paint_text(int row, int column, int width, enum paint_role role, bool fill, const char *text);

/* The same for what is printed between these two. */
FILE *paint_begin(void);
int paint_end(FILE *out, int row, int column, int width, enum paint_role role, bool fill);

/* A line with a text in it, over `width` columns. */
void paint_heading(int row, int column, int width, bool active, const char *text);

#endif
