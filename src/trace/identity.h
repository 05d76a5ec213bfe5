/* identity.h - the fingerprint of a finding: 16 hexadecimal digits, the same for the same bug.
 *
 * The fingerprint is made of what a repair of the bug would change, and of little else: the kind;
 * the functions, file names and source lines (their text, not their numbers) of the places; the
 * names of the objects; the message without its numbers. So it stays the same for another schedule,
 * on another machine, in another directory, and after changes elsewhere in the source. Of a
 * deadlock, only the tasks that wait in a cycle count. If there is no cycle, those tasks count for
 * which no other task has to move first.
 *
 * Without debug information or sources less is known, and the fingerprint is another one. */
#ifndef TRACE_IDENTITY_H
#define TRACE_IDENTITY_H

#include "trace/trace.h"

enum { IDENTITY_SIZE = 17 };

void identity_of(const struct trace *trace, char text[IDENTITY_SIZE]);

#endif
