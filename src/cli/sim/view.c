/* view.c - see view.h. */
#define _GNU_SOURCE
#include "cli/sim/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

void view_destroy(struct view *view) {
    free(view->text);
    view->text = NULL;
}

/* Returns how many bytes of the line fit, up to a blank if one is near. */
static size_t fitting(const char *line, size_t length, int width) {
    size_t end = 0, blank = 0;
    for (int column = 0; end < length && column < width; column++) {
        if (line[end] == ' ' && column > width / 2)
            blank = end;
        do
            end++;
        while (end < length && ((unsigned char)line[end] & 0xc0) == 0x80);
    }
    return end < length && blank > 0 ? blank : end;
}

static char *wrap(const char *text, int width) {
    static const char INDENT[] = "        ";
    char *wrapped = NULL;
    size_t size;
    FILE *out = open_memstream(&wrapped, &size);
    CHECK(out);
    while (*text) {
        size_t length = strcspn(text, "\n"), part = fitting(text, length, width);
        for (; part < length; length = strcspn(text, "\n"),
                              part = fitting(text, length, width - (int)strlen(INDENT))) {
            fprintf(out, "%.*s\n%s", (int)part, text, INDENT);
            text += part + strspn(text + part, " ");
        }
        fprintf(out, "%.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
    CHECK(fclose(out) == 0);
    return wrapped;
}

void view_show_text(struct view *view, const char *title, char *text, int width) {
    free(view->text);
    view->text = wrap(text, width > 20 ? width : 20);
    free(text);
    view->title = title;
    view->top = 0;
    view->mode = VIEW_TEXT;
}

const char *view_line(const struct view *view, uint32_t at) {
    const char *line = view->text;
    while (line != NULL && at-- > 0) {
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return line != NULL && *line ? line : NULL;
}

uint32_t view_lines(const struct view *view) {
    uint32_t count = 0;
    for (const char *at = view->text; at != NULL && (at = strchr(at, '\n')) != NULL; at++)
        count++;
    return count;
}

void view_scroll(struct view *view, int lines) {
    int64_t last = (int64_t)view_lines(view) - view->text_rows;
    int64_t top = (int64_t)view->top + lines;
    top = top > last ? last : top;
    view->top = top > 0 ? (uint32_t)top : 0;
}

void view_prompt(struct view *view, enum prompt_purpose purpose, const char *typed) {
    view->mode = VIEW_PROMPT;
    view->purpose = purpose;
    snprintf(view->typed, sizeof view->typed, "%s", typed);
}
