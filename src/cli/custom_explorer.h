/* custom_explorer.h - --explorer=FILE.c: compiles a delaying explorer of the user's own, for the tested
 * program to load (runtime/custom_explorer.c). */
#ifndef CLI_CUSTOM_EXPLORER_H
#define CLI_CUSTOM_EXPLORER_H

#include "engine/options.h"

/* A file, not the name of one that comes with the tool? */
bool custom_explorer_named(const char *explorer);

/* Compiles it, if there is one, and puts the library's path into the options. 0, or the exit code after
 * what the compiler had to say. */
int custom_explorer_build(struct options *options);

/* At the end. */
void custom_explorer_remove(void);

#endif
