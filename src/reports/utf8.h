/* utf8.h - texts of the tested program, character by character. Texts come from its sources, files
 * and memory, so they may contain any bytes. */
#ifndef REPORTS_UTF8_H
#define REPORTS_UTF8_H

#include <stdint.h>
#include <stdio.h>

enum { UTF8_REPLACEMENT = 0xfffd }; /* stands for a byte that is not UTF-8 */

/* Returns the character at *text and moves *text behind it. The text must not be at its end. */
uint32_t utf8_next(const char **text);

void utf8_put(uint32_t character, FILE *out);

/* The number of columns on a terminal: 0 for a character that combines with the one before, 2 for a
 * wide one. */
uint32_t utf8_width(uint32_t character);
uint32_t utf8_text_width(const char *text);

/* The number of bytes of `text` that fit in `width` columns. */
size_t utf8_fitting(const char *text, uint32_t width);

/* A copy with U+FFFD for each byte that is not UTF-8. The caller frees it. */
char *utf8_valid(const char *text);

#endif
