/* frame.h - one frame of a call stack in a line of the page, or two. */
#ifndef REPORTS_FRAME_H
#define REPORTS_FRAME_H

#include <stdio.h>

#include "trace/trace.h"

/* "#1 push src/queue.c:31", from column `indent` on, without the end of the line. Paths below the
 * directory of the run are shown from there on. What does not fit: arguments of templates and
 * parameters are left out; a path of the user's own goes to a line of its own, so that it can be
 * clicked on; other paths lose their first directories. */
void frame_print(const struct trace *trace, uint32_t depth, const struct trace_frame *frame,
                 uint32_t indent, FILE *out);

/* "std::vector<int, A<int> >::at(unsigned long)" as "std::vector<...>::at". Operators have signs of their own,
 * and stay as they are. */
void frame_put_short_name(const char *name, FILE *out);

#endif
