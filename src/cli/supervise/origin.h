/* origin.h - decides whether a trace may run its program without asking. A trace names a program,
 * which the sender of the trace has chosen. */
#ifndef CLI_ORIGIN_H
#define CLI_ORIGIN_H

#include <stdbool.h>

struct trace;

/* Marks the trace as recorded here: its origin is a hash of this machine, this user, the program
 * and its arguments. */
void origin_mark(struct trace *trace);

/* Returns true if the trace was recorded on this machine, by this user, with this program and these
 * arguments. */
bool origin_is_here(const struct trace *trace);

/* Asks the user, unless the trace was recorded here or `yes` is set. `path` is that of the trace.
 * Returns 0 if the program may run, or an exit code after one line on stderr. */
int origin_consent(const struct trace *trace, const char *path, bool yes);

#endif
