/* wrote.h - what the program wrote in the execution of a trace: the text of a failed EXPECT, for instance.
 *
 * While the tool explores, output goes nowhere. So a trace whose finding says little by itself (an exit status, an abort, a
 * crash) is replayed once, by a process of its own, and the last lines of both streams are kept in it. */
#ifndef CLI_WROTE_H
#define CLI_WROTE_H

#include "trace/trace.h"

enum { WROTE_MS = 5000, WROTE_LEAST_MS = 500 }; /* it gets so much time at most, and at least */

/* Within that time, adds the lines to the trace, and writes the file at `path` anew. Leaves both as they are if the program wrote
 * nothing, if the finding did not come again, or if a signal that ends the run is pending. */
void wrote_capture(struct trace *trace, const char *path, uint32_t timeout_ms);

#endif
