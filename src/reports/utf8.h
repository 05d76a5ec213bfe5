/* utf8.h - texts of the tested program, character by character. They come from its sources, its files
 * and its memory, so any bytes may stand in them. */
#ifndef REPORTS_UTF8_H
#define REPORTS_UTF8_H

#include <stdint.h>
#include <stdio.h>

enum { UTF8_REPLACEMENT = 0xfffd }; /* stands for a byte that is not UTF-8 */

/* The character at *text, which is not at its end, and goes on behind it. */
uint32_t utf8_next(const char **text);

void utf8_put(uint32_t character, FILE *out);

/* Columns of a terminal: 0 for what is put upon the character before, 2 for wide ones. */
uint32_t utf8_width(uint32_t character);
uint32_t utf8_text_width(const char *text);

/* How many bytes of `text` go into `width` columns. */
size_t utf8_fitting(const char *text, uint32_t width);

/* A copy, which the caller frees, in which all is UTF-8. */
char *utf8_valid(const char *text);

#endif
