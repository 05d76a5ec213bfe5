/* cc_words.h - a growing list of words that ends with NULL, as execvp wants it. */
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

/* A formatted word. It lives as long as the process: a compiler driver runs once. */
char *words_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Adds the words of `text`, separated by blanks. With `quoted`, quotes and backslashes are read as
 * in a compiler's response file. */
void words_split(struct words *words, const char *text, bool quoted);

/* Adds `word`; a response file @FILE is replaced by the words in it, again and again. */
void words_expand(struct words *words, const char *word);

#endif
