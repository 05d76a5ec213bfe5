/* wrap.c - see wrap.h. */
#define _GNU_SOURCE
#include "reports/wrap.h"

#include <stdbool.h>
#include <string.h>

#include "base/check.h"
#include "reports/utf8.h"

static const char ELLIPSIS[] = "...";

/* The number of bytes of a line of text that fit in `width` columns, up to a blank if there is one.
 * It is at least one character, so that wrapping always ends. */
static size_t fitting(const char *text, size_t length, uint32_t width) {
    size_t end = utf8_fitting(text, width);
    if (end >= length)
        return length;
    for (size_t blank = end; blank > 0; blank--)
        if (text[blank] == ' ')
            return blank;
    const char *next = text;
    utf8_next(&next);
    return end > 0 ? end : (size_t)(next - text);
}

/* Prints one line of the text. */
static void wrap_line(const char *text, size_t length, uint32_t start, uint32_t indent, FILE *out) {
    for (;;) {
        size_t bytes = fitting(text, length, start < WRAP_WIDTH ? WRAP_WIDTH - start : 1);
        fprintf(out, "%.*s", (int)bytes, text);
        while (bytes < length && text[bytes] == ' ')
            bytes++;
        text += bytes;
        length -= bytes;
        if (length == 0)
            return;
        fprintf(out, "\n%*s", (int)indent, "");
        start = indent;
    }
}

void wrap_text(const char *text, uint32_t start, uint32_t indent, FILE *out) {
    for (;;) {
        size_t length = strcspn(text, "\n");
        wrap_line(text, length, start, indent, out);
        if (text[length] == '\0')
            return;
        text += length + 1;
        fprintf(out, "\n%*s", (int)indent, "");
        start = indent;
    }
}

void wrap_cut(const char *text, uint32_t width, FILE *out) {
    uint32_t dots = sizeof ELLIPSIS - 1;
    if (utf8_text_width(text) <= width)
        fputs(text, out);
    else if (width <= dots)
        fprintf(out, "%.*s", (int)utf8_fitting(text, width), text);
    else
        fprintf(out, "%.*s%s", (int)utf8_fitting(text, width - dots), text, ELLIPSIS);
}

FILE *wrap_draft(struct wrap_draft *draft) {
    draft->out = open_memstream(&draft->text, &draft->length);
    CHECK(draft->out);
    return draft->out;
}

char *wrap_drafted(struct wrap_draft *draft) {
    CHECK(fclose(draft->out) == 0);
    return draft->text;
}
