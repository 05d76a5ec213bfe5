/* say_count.c - see say_count.h. */
#include "base/say_count.h"

#include <inttypes.h>
#include <stdio.h>

const char *say_grouped(uint64_t number, char text[GROUPED_SIZE]) {
    char digits[GROUPED_SIZE];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *to = text;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

const char *say_count(uint64_t number, const char *noun, char text[COUNT_SIZE]) {
    char grouped[GROUPED_SIZE];
    snprintf(text, COUNT_SIZE, "%s %s%s", say_grouped(number, grouped), noun,
             number == 1 ? "" : "s");
    return text;
}
