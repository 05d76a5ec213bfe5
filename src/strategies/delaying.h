/* delaying.h - a delaying explorer (heddle/explorer.h) at work: what happens in an execution is told to
 * it, and what it prescribes becomes an option of the state at hand.
 *
 * Values of heddle_choose and the like are no matter of the explorer: 0 is prescribed first, each delay
 * goes on to the next value. */
#ifndef STRATEGIES_DELAYING_H
#define STRATEGIES_DELAYING_H

#include <heddle/explorer.h>

#include "engine/options.h"
#include "engine/system.h"
#include "trace/execution.h"

/* Plain data: copied where the search may come back to. */
struct delaying {
    const struct heddle_explorer *explorer; /* borrowed */
    uint32_t events;                        /* of the execution: so many were told */
    uint32_t live;                          /* tasks that it knows of */
    _Alignas(8) char state[HEDDLE_EXPLORER_STATE_MAX];
};

/* Those that come with the tool; a new one is a file in explorers/ and a row in explorers/explorers.c. */
extern const struct heddle_explorer *const explorers[];
const struct heddle_explorer *explorer_named(const char *name); /* NULL: there is none */

/* The explorer of --explorer, or `otherwise` where nothing was said. */
const struct heddle_explorer *explorer_wanted(const struct options *options, const char *otherwise);

/* How many bytes of it are in use: so much has to be copied. */
size_t delaying_size(const struct delaying *delaying);

void delaying_begin(struct delaying *delaying, const struct heddle_explorer *explorer,
                    uint64_t seed);

/* At a state with options, before anything else: what has happened since the last one. */
void delaying_tell(struct delaying *delaying, const struct choice *choice,
                   const struct execution *execution);

/* The prescribed option of a schedule, by its index. Blocked tasks are delayed on the way, at no cost.
 * PICK_NOTHING: the explorer does not come to an enabled task. */
uint32_t delaying_next(struct delaying *delaying, const struct choice *choice);

void delaying_delay(struct delaying *delaying);

#endif
