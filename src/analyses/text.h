/* text.h - sentences without stdio: an analysis runs inside the tested program. */
#ifndef ANALYSES_TEXT_H
#define ANALYSES_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Appends to the caller's buffer, which always ends with a zero byte. Text that does not fit is
 * cut. */
struct text {
    char *buffer;
    size_t size;
    size_t length;
};

void text_add(struct text *text, const char *words);
void text_add_number(struct text *text, uint64_t number);

#endif
