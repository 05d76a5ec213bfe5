/* wrap.h - text that keeps to a page of 80 columns, on a terminal and in a log. */
#ifndef REPORTS_WRAP_H
#define REPORTS_WRAP_H

#include <stdint.h>
#include <stdio.h>

enum { WRAP_WIDTH = 80 };

/* Prints `text` from column `start` on, where the line is now; what does not fit goes on in the next
 * lines, from column `indent` on, broken at blanks where there are some. A line feed in the text begins
 * a new line, too. Leaves the line open. */
void wrap_text(const char *text, uint32_t start, uint32_t indent, FILE *out);

/* `text` in at most `width` columns, with an ellipsis where it is cut. */
void wrap_cut(const char *text, uint32_t width, FILE *out);

/* Text that is put together first: a stream to write to, then all of it, which the caller frees. */
struct wrap_draft {
    char *text;
    size_t length;
    FILE *out;
};

FILE *wrap_draft(struct wrap_draft *draft);
char *wrap_drafted(struct wrap_draft *draft);

#endif
