/* words.c - lists of words, and response files.
 *
 * A response file follows the rules of libiberty, which gcc and clang share: words are separated by
 * blanks, either kind of quote keeps blanks, and a backslash takes the next character as it is,
 * everywhere. If FILE cannot be read, the word @FILE stays as it is. */
#define _GNU_SOURCE
#include "cli/cc/words.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

enum { RESPONSE_DEPTH_MAX = 50 };

void words_add(struct words *words, const char *word) {
    if (words->count + 2 > words->capacity) {
        words->capacity = words->capacity ? 2 * words->capacity : 32;
        words->items = realloc(words->items, words->capacity * sizeof *words->items);
        CHECK(words->items);
    }
    words->items[words->count++] = (char *)word;
    words->items[words->count] = NULL;
}

void words_add_all(struct words *words, const char *const *list) {
    while (*list)
        words_add(words, *list++);
}

void words_append(struct words *words, const struct words *more) {
    for (size_t i = 0; i < more->count; i++)
        words_add(words, more->items[i]);
}

char *words_format(const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    CHECK(length >= 0);
    return text;
}

/* Copies one word from `text` to `word`, which is large enough; returns the rest of the text. */
static const char *take_word(const char *text, char *word, bool quoted) {
    char quote = '\0';
    for (; *text && (quote || !isspace((unsigned char)*text)); text++) {
        if (quoted && *text == '\\' && text[1])
            *word++ = *++text;
        else if (quote ? *text == quote : quoted && (*text == '"' || *text == '\''))
            quote = quote ? '\0' : *text;
        else
            *word++ = *text;
    }
    *word = '\0';
    return text;
}

static const char *skip_blanks(const char *text) {
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

void words_split(struct words *words, const char *text, bool quoted) {
    char *word = malloc(strlen(text) + 1);
    CHECK(word);
    for (text = skip_blanks(text); *text; text = skip_blanks(text)) {
        text = take_word(text, word, quoted);
        words_add(words, words_format("%s", word));
    }
    free(word);
}

/* Returns the whole file as a string, or NULL. */
static char *read_text(const char *path) {
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t size = 0;
    if (!file)
        return NULL;
    ssize_t length = getdelim(&text, &size, '\0', file);
    int failed = ferror(file);
    fclose(file);
    if (length < 0) {
        free(text);
        return failed ? NULL : words_format("%s", "");
    }
    return text;
}

static void expand(struct words *words, const char *word, int depth) {
    char *text = word[0] == '@' && depth < RESPONSE_DEPTH_MAX ? read_text(word + 1) : NULL;
    if (!text) {
        words_add(words, word);
        return;
    }
    struct words inner = {0};
    words_split(&inner, text, true);
    free(text);
    for (size_t i = 0; i < inner.count; i++)
        expand(words, inner.items[i], depth + 1);
    free(inner.items);
}

void words_expand(struct words *words, const char *word) {
    expand(words, word, 0);
}
