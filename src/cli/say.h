/* say.h - one clear line on stderr, and small things that every command prints alike. */
#ifndef CLI_SAY_H
#define CLI_SAY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { EXIT_USAGE = 2, EXIT_DIFFERS = 4, EXIT_UNSUPPORTED = 5, EXIT_INTERNAL = 6 };

/* How the tool was called, for commands that the user can paste. */
void say_set_tool(const char *name); /* borrowed */
const char *say_tool(void);

/* "heddle: ..." and a newline on stderr; control characters are escaped. Returns `code`, for `return say_error(...)`. */
int say_error(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* strerror, with the limit of the shell that may be behind it: "Too many open files (ulimit -n)". In a buffer that the
 * next call uses again. */
const char *say_reason(int error);

/* Text from outside, for a terminal: control characters are shown as \x1b and the like. */
void say_text(const char *text, FILE *out);

/* 4096 as "4,096". The result stands in `text`. */
enum { GROUPED_SIZE = 32 };
const char *say_grouped(uint64_t number, char text[GROUPED_SIZE]);

/* "1 execution", "4,096 executions" */
enum { COUNT_SIZE = GROUPED_SIZE + 32 };
const char *say_count(uint64_t number, const char *noun, char text[COUNT_SIZE]);

/* An estimate, in two digits: 12345 as "12,000", from 10^8 on as "1.2e+08", and at least "1". */
const char *say_about(double number, char text[GROUPED_SIZE]);

/* An estimate with its range: "about 12,000 executions (9,000 to 20,000)". Beyond what anyone counts, it says
 * only that. */
enum { RANGE_SIZE = 3 * GROUPED_SIZE + 32 };
const char *say_range(double number, double low, double high, const char *noun,
                      char text[RANGE_SIZE]);

/* `word` as a shell would need it, quoted where it must be, cut to `size`. Control characters stand as $'\x1b'. */
const char *say_quoted(const char *word, char *text, size_t size);

/* The word of `words` (ended by NULL) that is nearest to `word`, or NULL if none is near. */
const char *say_nearest(const char *word, const char *const *words);

#endif
