/* atomic.h - finds sources that define atomic functions by the convention of SV-COMP: their names
 * begin with __VERIFIER_atomic_. The runtime knows them by their symbols, so they must not be
 * inlined. */
#ifndef CLI_CC_ATOMIC_H
#define CLI_CC_ATOMIC_H

#include <stdbool.h>

/* Returns true if the file mentions such a function, or includes a file from its own directory that
 * does. */
bool atomic_mentioned(const char *path);

#endif
