/* origin.h - whether a trace may run its program unasked: a trace names a program, and whoever sent it has chosen
 * which. */
#ifndef CLI_ORIGIN_H
#define CLI_ORIGIN_H

#include <stdbool.h>

struct trace;

/* The trace was recorded here: its origin is a hash of this machine, this user, and what it runs. */
void origin_mark(struct trace *trace);

/* Whether the trace was recorded on this machine, by this user, with this program and these arguments. */
bool origin_is_here(const struct trace *trace);

/* Asks the user, unless the trace was recorded here, or `yes` was said. `path` is that of the trace. 0: run it; or an
 * exit code after one line on stderr. */
int origin_consent(const struct trace *trace, const char *path, bool yes);

#endif
