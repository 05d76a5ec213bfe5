/* begin_again.h - a search that lacks an option begins again (outcome.c).
 *
 * An option decides what counts as an operation, and a search may find out late that it needs the
 * option: when a task accesses the stack of another task (memory/shared_stack.h), looks whether a
 * thread has ended (thread_end.c), or opens a library (program/libraries.c). Then the whole search
 * begins again in a new session, with this option. So the same actions are operations in all
 * executions of a search, and the options in a trace suffice to repeat it. A search that remembers
 * states can lack an option, too (LACKS_CYCLES). */
#ifndef NATIVE_BEGIN_AGAIN_H
#define NATIVE_BEGIN_AGAIN_H

#include "engine/lacking.h"

/* Ends the search, because it should have had this option from the start. The supervisor begins a
 * new search with the option. Nothing of the old search is kept, because its executions lack
 * operations. */
_Noreturn void begin_search_again(enum lacking lacks);

#endif
