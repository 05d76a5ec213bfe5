/* delaying.h - a delaying explorer (heddle/explorer.h) at work: it is told what happens in an
 * execution, and what it prescribes becomes an option of the state at hand.
 *
 * Values of heddle_choose and the like are not the explorer's business: 0 is prescribed first, and
 * each delay goes on to the next value. */
#ifndef STRATEGIES_DELAYING_H
#define STRATEGIES_DELAYING_H

#include <heddle/explorer.h>

#include "engine/strategy.h"
#include "strategies/explorers/explorers.h"
#include "execution/execution.h"

/* Plain data. A copy is made where the search may come back to. */
struct delaying {
    const struct heddle_explorer *explorer; /* borrowed */
    /* number of events of the execution that the explorer was told of */
    uint32_t events;
    uint32_t live; /* number of tasks that the explorer knows */
    _Alignas(8) char state[HEDDLE_EXPLORER_STATE_MAX];
};

/* The options of a state that were prescribed there already, one bit for each. */
struct prescribed {
    uint64_t bits[2];
};
_Static_assert(HEDDLE_ORDER_MAX <= 128, "an option, a bit");

/* Returns the explorer of --explorer, or `otherwise` if the option is not given. */
const struct heddle_explorer *explorer_wanted(const struct options *options, const char *otherwise);

/* Returns how many bytes of the struct are in use and have to be copied. The bytes behind them are
 * zero. */
size_t delaying_size(const struct delaying *delaying);

void delaying_begin(struct delaying *delaying, const struct heddle_explorer *explorer,
                    uint64_t seed);

/* Call this at a schedule, before anything else: tells the explorer what has happened since the
 * last schedule. Returns false if there are more tasks than an explorer can order
 * (HEDDLE_ORDER_MAX). */
bool delaying_tell(struct delaying *delaying, const struct choice *choice,
                   const struct execution *execution);

/* Returns the index of the option that the explorer prescribes for a schedule. Blocked tasks are
 * delayed on the way, at no cost. Returns PICK_NOTHING if the explorer does not come to an enabled
 * task. */
uint32_t delaying_next(struct delaying *delaying, const struct choice *choice);

void delaying_delay(struct delaying *delaying);

/* Notes that an option was prescribed. Returns false if it was prescribed before, or is
 * PICK_NOTHING. Then the explorer is not sound: as many delays as there are options did not bring
 * every option. */
bool prescribed_add(struct prescribed *prescribed, uint32_t option);

static inline bool prescribed_has(const struct prescribed *prescribed, uint32_t option) {
    return prescribed->bits[option / 64] >> option % 64 & 1;
}

/* Writes a complaint about the explorer to `text`, which has MISTAKE_TEXT bytes, and sets
 * strategy->mistake to it. Returns PICK_MISTAKEN. */
enum { MISTAKE_TEXT = 200 };
uint32_t delaying_complain(const struct delaying *delaying, const struct choice *choice,
                           const struct prescribed *prescribed, struct strategy *strategy,
                           char *text);

#endif
