/* request.h - what the supervisor asks of a search. It is written before the search begins, and is
 * not changed afterwards. */
#ifndef ENGINE_REQUEST_H
#define ENGINE_REQUEST_H

#include "engine/options.h"
#include "execution/execution.h"

struct request {
    struct options options;
    struct execution
        replay; /* if nothing is explored: the decisions to make, and the events that must come */
};

#endif
