/* output.h - passes on what the tested program writes. The program writes to pipes, and the
 * supervisor copies from them to its own output (child.c says why). */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/supervise/child.h"

/* Copies the available output. At the end of the stream, closes it. */
void output_forward(int *from, int to);

/* Copies the output that the program wrote before its end, and closes the pipes. Does not wait for
 * other processes that hold a pipe open. */
void output_drain(struct child *child);

#endif
