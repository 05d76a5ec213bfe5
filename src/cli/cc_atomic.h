/* cc_atomic.h - sources that define atomic functions by the convention of SV-COMP: their names begin with
 * __VERIFIER_atomic_. The runtime knows them by their symbols, so they must stay functions. */
#ifndef CLI_CC_ATOMIC_H
#define CLI_CC_ATOMIC_H

#include <stdbool.h>

/* The file mentions such a function, or a file does that it includes from its own directory. */
bool atomic_mentioned(const char *path);

#endif
