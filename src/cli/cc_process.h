/* cc_process.h - starts other programs, waits for them, and cleans up after them. */
#ifndef CLI_CC_PROCESS_H
#define CLI_CC_PROCESS_H

#include <stdbool.h>

#include "cli/cc_words.h"

bool process_is_on_path(const char *name);

/* Runs a command; its exit status, 128 + the signal that ended it, or 127 (with a message) if it
 * cannot be started. */
int process_run(const struct words *command);

/* Whether a command's output, of both kinds, contains `text`. */
bool process_output_contains(const struct words *command, const char *text);

/* From now on, signals that would end us go to the running command instead, so that we live to clean
 * up. process_interrupted says whether one came. */
void process_forward_signals(void);
bool process_interrupted(void);

/* A directory with nothing but files in it. */
void process_remove_directory(const char *path);

#endif
