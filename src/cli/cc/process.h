/* process.h - starts other programs, waits for them, and removes their temporary files. */
#ifndef CLI_CC_PROCESS_H
#define CLI_CC_PROCESS_H

#include <stdbool.h>

#include "cli/cc/words.h"

bool process_is_on_path(const char *name);

/* Runs a command. Returns its exit status, 128 + the signal that ended it, or 127 (with a message)
 * if it cannot be started. */
int process_run(const struct words *command);

/* Returns true if the output of a command, on stdout or stderr, contains `text`. */
bool process_output_contains(const struct words *command, const char *text);

/* From now on, signals that would end this process go to the running command instead, so that this
 * process can remove its files. process_interrupted tells whether such a signal came. */
void process_forward_signals(void);
bool process_interrupted(void);

/* Removes a directory that contains only files. */
void process_remove_directory(const char *path);

#endif
