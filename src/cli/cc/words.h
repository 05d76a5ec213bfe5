/* words.h - a growing list of words that ends with NULL, as execvp expects it. */
#ifndef CLI_CC_WORDS_H
#define CLI_CC_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words {
    char **items; /* NULL-terminated; NULL while empty */
    size_t count, capacity;
};

/* Words are borrowed: they must outlive the list. */
void words_add(struct words *words, const char *word);
void words_add_all(struct words *words, const char *const *list);
void words_append(struct words *words, const struct words *more);

/* Makes a formatted word. It is never freed, because a compiler driver runs only for a short
 * time. */
char *words_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Adds the words of `text`, separated by blanks. With `quoted`, quotes and backslashes are read as
 * in a compiler's response file. */
void words_split(struct words *words, const char *text, bool quoted);

/* Adds `word`. A response file @FILE is replaced by the words in it, which may name response files
 * again. */
void words_expand(struct words *words, const char *word);

#endif
