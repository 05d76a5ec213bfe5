/* dependence.h - when does the order of two operations matter? */
#ifndef EVENT_DEPENDENCE_H
#define EVENT_DEPENDENCE_H

#include <stdbool.h>

#include "event/op.h"

/* Symmetric; for operations of two different tasks. False only where it is known that both orders
 * lead to the same state and neither enables or disables the other: doubt means dependent. It looks
 * at operations that may not have happened yet, so a compare-exchange counts as a write. */
bool dependent(const struct op *a, const struct op *b);

#endif
