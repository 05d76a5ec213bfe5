/* story.h - a trace told event by event, for tests of what follows from one. */
#ifndef TESTS_UNIT_STORY_H
#define TESTS_UNIT_STORY_H

#include "trace/trace.h"

/* An empty trace of so many tasks, the first of which created the others before it begins. The caller
 * destroys it. */
void story_begin(struct trace *trace, uint32_t tasks);

/* One more event; its index. The pointer to it in the trace holds until the next call. */
uint32_t tell(struct trace *trace, uint32_t task, enum op_kind kind, uint64_t object);

/* The number of the message that is sent or received, of `tell`'s last event. */
void tell_message(struct trace *trace, uint64_t number);

#endif
