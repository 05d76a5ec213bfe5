/* text.c - see text.h. */
#include "analyses/text.h"

void text_add(struct text *text, const char *words) {
    while (*words != '\0' && text->length + 1 < text->size)
        text->buffer[text->length++] = *words++;
    text->buffer[text->length] = '\0';
}

void text_add_number(struct text *text, uint64_t number) {
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    text_add(text, digits + at);
}
