/* streams.h - the standard streams of the tool: opened at the start, and checked at the end. */
#ifndef CLI_STREAMS_H
#define CLI_STREAMS_H

/* Opens /dev/null for each standard descriptor that is closed, so that no file of the tool gets its
 * number: output to it is lost, and nothing can be read. The signals of failing streams (SIGPIPE,
 * SIGXFSZ) no longer end the tool; the call fails instead. Returns 0, or an exit code if even that
 * fails: then there is no stream to say why. */
int streams_open(void);

/* Writes the rest of stdout's buffer. Returns the exit code for a command that ended with `code`:
 * another code, after one line on stderr, if the command succeeded but its output could not be
 * written. A reader that has gone (`| head`) is not a failure. */
int streams_close(int code);

#endif
