/* custom_explorer.h - --explorer=FILE.c: compiles a delaying explorer of the user, which the tested
 * program loads (runtime/custom_explorer.c). */
#ifndef CLI_CUSTOM_EXPLORER_H
#define CLI_CUSTOM_EXPLORER_H

#include "engine/options.h"

/* Returns true if the option names a file, not an explorer that comes with the tool. */
bool custom_explorer_named(const char *explorer);

/* Compiles the custom explorer, if there is one, and puts the path of the library into the options.
 * Returns 0, or an exit code after the messages of the compiler. */
int custom_explorer_build(struct options *options);

/* Removes the library, at the end of the run. */
void custom_explorer_remove(void);

#endif
