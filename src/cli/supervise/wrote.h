/* wrote.h - the output of the program in the execution of a trace: for example, the text of a
 * failed EXPECT.
 *
 * While the tool explores, output is discarded. So a trace whose finding says little by itself (an
 * exit status, an abort, a crash) is replayed once, in a process of its own, and the last lines of
 * both streams are kept in the trace. */
#ifndef CLI_WROTE_H
#define CLI_WROTE_H

#include "trace/trace.h"

/* The largest and the smallest time limit for that. */
enum { WROTE_MS = 5000, WROTE_LEAST_MS = 500 };

/* Adds the lines to the trace within that time, and writes the file at `path` again. Leaves both as
 * they are if the program wrote nothing, if the finding did not come again, or if a signal that
 * ends the run is pending. */
void wrote_capture(struct trace *trace, const char *path, uint32_t timeout_ms);

#endif
