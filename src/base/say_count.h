/* say_count.h - numbers in sentences: with groups of digits, and with the right plural. */
#ifndef BASE_SAY_COUNT_H
#define BASE_SAY_COUNT_H

#include <stdint.h>

/* 4096 as "4,096". The result stands in `text`. */
enum { GROUPED_SIZE = 32 };
const char *say_grouped(uint64_t number, char text[GROUPED_SIZE]);

/* "1 execution", "4,096 executions" */
enum { COUNT_SIZE = GROUPED_SIZE + 32 };
const char *say_count(uint64_t number, const char *noun, char text[COUNT_SIZE]);

#endif
