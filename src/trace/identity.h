/* identity.h - the fingerprint of a finding: 16 hexadecimal digits, the same for the same bug.
 *
 * It is made of what a repair of the bug would change, and of little else: the kind, the functions,
 * file names and source lines (their text, not their numbers) of its places, the names of its objects,
 * and its message without the numbers in it. So it survives another schedule, another machine or
 * directory, and edits elsewhere in the source. Of a deadlock those count who wait in a cycle, or else
 * those for whom nobody has to move first; whoever only waits for them does not.
 *
 * Without debug information or sources less is known, and the fingerprint is another one. */
#ifndef TRACE_IDENTITY_H
#define TRACE_IDENTITY_H

#include "trace/trace.h"

enum { IDENTITY_SIZE = 17 };

void identity_of(const struct trace *trace, char text[IDENTITY_SIZE]);

#endif
