/* wrap.h - text in at most 80 columns, on a terminal and in a log. */
#ifndef REPORTS_WRAP_H
#define REPORTS_WRAP_H

#include <stdint.h>
#include <stdio.h>

enum { WRAP_WIDTH = 80 };

/* Prints `text` from column `start` on, which is the current column of the stream. Text that does
 * not fit continues in the next lines, from column `indent` on. Lines are broken at blanks if
 * possible, and at line feeds of the text. The last line is not ended. */
void wrap_text(const char *text, uint32_t start, uint32_t indent, FILE *out);

/* `text` in at most `width` columns, with an ellipsis where it is cut. */
void wrap_cut(const char *text, uint32_t width, FILE *out);

/* A text that is put together before it is used. wrap_draft returns a stream to write to.
 * wrap_drafted closes the stream and returns the text, which the caller frees. */
struct wrap_draft {
    char *text;
    size_t length;
    FILE *out;
};

FILE *wrap_draft(struct wrap_draft *draft);
char *wrap_drafted(struct wrap_draft *draft);

#endif
