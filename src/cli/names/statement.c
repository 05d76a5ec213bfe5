/* statement.c - see statement.h. A line that ends with one of `;{}:` ends a statement. This is not
 * the whole grammar, but it is enough for a call that is spread over a few lines. */
#include "cli/names/statement.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LINES_AROUND = 4, LINE_SIZE = 512 };

/* Returns the place after the quoted text that begins at `at`. */
static const char *after_quote(const char *at) {
    char quote = *at++;
    for (; *at != '\0' && *at != quote; at++)
        if (at[0] == '\\' && at[1] != '\0')
            at++;
    return *at ? at + 1 : at;
}

static const char *after_comment(const char *at) {
    const char *end = at[1] == '*' ? strstr(at + 2, "*/") : NULL;
    return end ? end + 2 : at + strlen(at);
}

/* Copies a line without comments, strings and the blanks at both ends. */
static void clean(const char *at, char *to, size_t size) {
    size_t used = 0;
    at += strspn(at, " \t");
    while (*at != '\0' && used + 1 < size) {
        if (at[0] == '/' && (at[1] == '/' || at[1] == '*'))
            at = after_comment(at);
        else if (*at == '"' || *at == '\'')
            at = after_quote(at);
        else
            to[used++] = *at++;
    }
    while (used > 0 && isspace((unsigned char)to[used - 1]))
        used--;
    to[used] = '\0';
}

static bool read_clean(struct source_files *files, const char *path, uint32_t line,
                       char text[LINE_SIZE]) {
    const char *raw = line > 0 ? source_text(files, path, line) : NULL;
    clean(raw ? raw : "", text, LINE_SIZE);
    return raw != NULL;
}

/* True if the statement ends with this line. */
static bool ends(const char *line) {
    size_t length = strlen(line);
    return length == 0 || line[0] == '#' || strchr(";{}:", line[length - 1]) != NULL;
}

static void append(char text[STATEMENT_SIZE], const char *line) {
    size_t used = strlen(text);
    if (used + strlen(line) + 2 > STATEMENT_SIZE)
        return;
    if (used > 0)
        text[used++] = ' ';
    strcpy(text + used, line);
}

void statement_around(struct source_files *files, const char *path, uint32_t line,
                      char text[STATEMENT_SIZE]) {
    char one[LINE_SIZE];
    uint32_t first = line;
    text[0] = '\0';
    while (first > 1 && line - first < LINES_AROUND && read_clean(files, path, first - 1, one) &&
           !ends(one))
        first--;
    for (uint32_t at = first; at <= line + LINES_AROUND; at++) {
        if (!read_clean(files, path, at, one))
            return;
        append(text, one);
        if (at >= line && ends(one))
            return;
    }
}
