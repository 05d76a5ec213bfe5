/* streams.h - the standard streams of the tool: open from the start, and looked after at the end. */
#ifndef CLI_STREAMS_H
#define CLI_STREAMS_H

/* Opens /dev/null in the place of each standard descriptor that is closed, so that no file of ours gets its
 * number: what is written there goes nowhere, and nothing is read. Signals of streams that fail (SIGPIPE, SIGXFSZ)
 * end nothing any more: the call fails instead. 0, or an exit code: then there is nowhere to say why. */
int streams_open(void);

/* Writes what is still in the buffer of stdout. The exit code of a command that ended with `code`: another one if a
 * success could not be written, after one line on stderr. A reader that has left (`| head`) is no failure. */
int streams_close(int code);

#endif
