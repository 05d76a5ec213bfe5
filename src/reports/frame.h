/* frame.h - one frame of a call stack, in one or two lines of a report. */
#ifndef REPORTS_FRAME_H
#define REPORTS_FRAME_H

#include <stdio.h>

#include "trace/trace.h"

/* Prints "#1 push src/queue.c:31" from column `indent` on, without the end of the line. Paths below
 * the directory of the run are shown relative to it. If the line is too long, arguments of
 * templates and parameters are left out. If it is still too long, a path of the user's own code
 * gets a line of its own, so that the reader can click on it; other paths lose their first
 * directories. */
void frame_print(const struct trace *trace, uint32_t depth, const struct trace_frame *frame,
                 uint32_t indent, FILE *out);

/* Writes "std::vector<int, A<int> >::at(unsigned long)" as "std::vector<...>::at". Names of
 * operators contain such signs themselves, so they stay as they are. */
void frame_put_short_name(const char *name, FILE *out);

#endif
