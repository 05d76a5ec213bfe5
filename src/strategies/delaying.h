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
#include "strategies/explorers/explorers.h"
#include "trace/execution.h"

/* Plain data: copied where the search may come back to. */
struct delaying {
    const struct heddle_explorer *explorer; /* borrowed */
    uint32_t events;                        /* of the execution: so many were told */
    uint32_t live;                          /* tasks that it knows of */
    _Alignas(8) char state[HEDDLE_EXPLORER_STATE_MAX];
};

/* The options of a state that were prescribed there already: a bit each. */
struct prescribed {
    uint64_t bits[2];
};
_Static_assert(HEDDLE_ORDER_MAX <= 128, "an option, a bit");

/* The explorer of --explorer, or `otherwise` where nothing was said. */
const struct heddle_explorer *explorer_wanted(const struct options *options, const char *otherwise);

/* How many bytes of it are in use: so much has to be copied. What is behind them is zero. */
size_t delaying_size(const struct delaying *delaying);

void delaying_begin(struct delaying *delaying, const struct heddle_explorer *explorer,
                    uint64_t seed);

/* At a schedule, before anything else: what has happened since the last one. False: there are more tasks
 * than an explorer can order (HEDDLE_ORDER_MAX). */
bool delaying_tell(struct delaying *delaying, const struct choice *choice,
                   const struct execution *execution);

/* The prescribed option of a schedule, by its index. Blocked tasks are delayed on the way, at no cost.
 * PICK_NOTHING: the explorer does not come to an enabled task. */
uint32_t delaying_next(struct delaying *delaying, const struct choice *choice);

void delaying_delay(struct delaying *delaying);

/* Notes that an option was prescribed. False if it was before, or is PICK_NOTHING: then the explorer is
 * not sound, since as many delays as there are options did not bring them all. */
bool prescribed_add(struct prescribed *prescribed, uint32_t option);

/* What to say then: `steps` lead to this state. */
void delaying_complain(const struct delaying *delaying, const struct choice *choice,
                       const struct prescribed *prescribed, uint32_t steps, char *text,
                       size_t size);

#endif
