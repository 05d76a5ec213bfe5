/* say.h - error messages of one line, and small formats that all commands share. */
#ifndef CLI_SAY_H
#define CLI_SAY_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/say_count.h"

enum { EXIT_USAGE = 2, EXIT_DIFFERS = 4, EXIT_UNSUPPORTED = 5, EXIT_INTERNAL = 6 };

/* Sets how the tool was called, for commands that the user can paste. */
void say_set_tool(const char *name); /* borrowed */
const char *say_tool(void);

/* Prints "heddle: ..." and a newline on stderr; control characters are escaped. Returns `code`, for
 * `return say_error(...)`. */
int say_error(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns strerror(), with the limit of the shell that may be the cause: "Too many open files
 * (ulimit -n)". The next call uses the same buffer. */
const char *say_reason(int error);

/* Prints a foreign text on a terminal: control characters are shown as \x1b and the like. */
void say_text(const char *text, FILE *out);

/* Writes an estimate with two digits: 12345 as "12,000", from 10^8 on as "1.2e+08", and at least
 * "1". */
const char *say_about(double number, char text[GROUPED_SIZE]);

/* Writes an estimate with its range: "about 12,000 executions (9,000 to 20,000)". Of a number that
 * is too large to matter, it says only that. */
enum { RANGE_SIZE = 3 * GROUPED_SIZE + 32 };
const char *say_range(double number, double low, double high, const char *noun,
                      char text[RANGE_SIZE]);

/* Writes `word` as a shell needs it, with quotes if necessary, cut to `size`. Control characters
 * stand as $'\x1b'. */
const char *say_quoted(const char *word, char *text, size_t size);

/* The command that replays the trace at `path`, for a shell. Returns `text`. */
enum { REPLAY_SIZE = 2 * PATH_MAX };
const char *say_replay(const char *path, char text[REPLAY_SIZE]);

/* Returns the word of `words` (ended by NULL) that is most similar to `word`, or NULL if none is
 * similar. */
const char *say_nearest(const char *word, const char *const *words);

#endif
