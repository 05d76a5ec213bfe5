/* say.c - see say.h. */
#define _GNU_SOURCE
#include "cli/base/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "reports/utf8.h"

static const char *tool = "heddle";

void say_set_tool(const char *name) {
    tool = name;
}

const char *say_tool(void) {
    return tool;
}

int say_error(int code, const char *format, ...) {
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    CHECK(vasprintf(&text, format, arguments) >= 0);
    va_end(arguments);
    fputs("heddle: ", stderr);
    say_text(text, stderr);
    fputc('\n', stderr);
    free(text);
    return code;
}

const char *say_reason(int error) {
    static char text[128];
    const char *limit = error == EMFILE   ? " (ulimit -n)"
                        : error == EFBIG  ? " (ulimit -f)"
                        : error == ENOMEM ? " (ulimit -v)"
                        : error == EAGAIN ? " (ulimit -u)"
                                          : "";
    snprintf(text, sizeof text, "%s%s", strerror(error), limit);
    return text;
}

/* Returns true for a character that a terminal acts upon. A byte that is not UTF-8 counts as well,
 * because a terminal may take it for something else. */
static bool is_control(uint32_t character) {
    return character < 0x20 || (character >= 0x7f && character < 0xa0) ||
           character == UTF8_REPLACEMENT;
}

/* Writes the next character of *text, as it is or escaped, and moves *text behind it. */
static void put_character(const char **text, FILE *out) {
    const char *from = *text;
    if (!is_control(utf8_next(text))) {
        fwrite(from, 1, (size_t)(*text - from), out);
        return;
    }
    for (; from < *text; from++)
        fprintf(out, "\\x%02x", (unsigned char)*from);
}

void say_text(const char *text, FILE *out) {
    while (*text)
        put_character(&text, out);
}

const char *say_about(double number, char text[GROUPED_SIZE]) {
    uint64_t unit = 1;
    if (number < 1)
        number = 1;
    if (!(number < 1e8)) {
        snprintf(text, GROUPED_SIZE, "%.1e", number);
        return text;
    }
    while (number / (double)unit >= 100)
        unit *= 10;
    return say_grouped((uint64_t)(number / (double)unit + 0.5) * unit, text);
}

const char *say_range(double number, double low, double high, const char *noun,
                      char text[RANGE_SIZE]) {
    static const double COUNTLESS = 1e18;
    char about[GROUPED_SIZE], from[GROUPED_SIZE], to[GROUPED_SIZE];
    if (!(number < COUNTLESS)) {
        snprintf(text, RANGE_SIZE, "more than 10^18 %ss", noun);
        return text;
    }
    int used = snprintf(text, RANGE_SIZE, "about %s %s%s", say_about(number, about), noun,
                        number < 1.5 ? "" : "s");
    say_about(low, from);
    if (!(high < COUNTLESS))
        snprintf(text + used, (size_t)(RANGE_SIZE - used), " (%s or more)", from);
    else if (strcmp(from, say_about(high, to)) != 0)
        snprintf(text + used, (size_t)(RANGE_SIZE - used), " (%s to %s)", from, to);
    return text;
}

static bool has_control(const char *word) {
    while (*word)
        if (is_control(utf8_next(&word)))
            return true;
    return false;
}

/* Quotes a word as $'...', if it has characters that a terminal must not see. */
static const char *quote_by_codes(const char *word, char *text, size_t size) {
    enum { LONGEST = 20 }; /* the longest code of one character, with the terminating 0 */
    size_t used = (size_t)snprintf(text, size, "$'");
    while (*word && used + LONGEST < size) {
        FILE *out = fmemopen(text + used, size - used, "w");
        CHECK(out);
        if (*word == '\'' || *word == '\\')
            fprintf(out, "\\%c", *word++);
        else
            put_character(&word, out);
        CHECK(fclose(out) == 0);
        used += strlen(text + used);
    }
    snprintf(text + used, size - used, "'");
    return text;
}

const char *say_quoted(const char *word, char *text, size_t size) {
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   "_-./+=:,@%";
    if (*word && word[strspn(word, harmless)] == '\0') {
        snprintf(text, size, "%s", word);
        return text;
    }
    if (has_control(word))
        return quote_by_codes(word, text, size);
    size_t used = (size_t)snprintf(text, size, "'");
    for (; *word && used + 6 < size; word++)
        used += (size_t)snprintf(text + used, size - used, *word == '\'' ? "'\\''" : "%c", *word);
    snprintf(text + used, size - used, "'");
    return text;
}

const char *say_replay(const char *path, char text[REPLAY_SIZE]) {
    char tool[PATH_MAX], quoted[PATH_MAX];
    snprintf(text, REPLAY_SIZE, "%s replay %s", say_quoted(say_tool(), tool, sizeof tool),
             say_quoted(path, quoted, sizeof quoted));
    return text;
}

enum { WORD_MAX = 32 };

static size_t least(size_t a, size_t b, size_t c) {
    size_t smaller = a < b ? a : b;
    return smaller < c ? smaller : c;
}

/* The distance of two words by optimal string alignment: insertions, deletions, substitutions and
 * swaps of neighbours. */
static size_t edit_distance(const char *a, const char *b) {
    size_t rows[3][WORD_MAX + 1];
    size_t m = strlen(a), n = strlen(b);
    if (m > WORD_MAX || n > WORD_MAX)
        return WORD_MAX;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                two_above[j - 2] + 1 < row[j])
                row[j] = two_above[j - 2] + 1;
        }
    }
    return rows[m % 3][n];
}

const char *say_nearest(const char *word, const char *const *words) {
    const char *nearest = NULL;
    size_t best = strlen(word) / 3 + 2; /* a long word may be further away than a short one */
    for (; *words != NULL; words++) {
        size_t distance = edit_distance(word, *words);
        if (distance < best) {
            best = distance;
            nearest = *words;
        }
    }
    return nearest;
}
