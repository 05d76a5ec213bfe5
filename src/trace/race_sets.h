/* race_sets.h - which other messages a receive could have taken (seed 004, definition 3.3.5).
 *
 * The race set of a receive holds the sends to its mailbox that do not happen after it and whose messages
 * were not received before it. 004 has channels without an order; our mailboxes keep theirs, so a message
 * is in the set only if no other message that is still there had to be sent before it. The order is that
 * of causality.h without the one among sends (SENDS_FREE): all else stays as it was.
 *
 * A receive by a predicate is known by what it passed over, or says it would have taken: only what its
 * predicate is not known to refuse is in its set. */
#ifndef TRACE_RACE_SETS_H
#define TRACE_RACE_SETS_H

#include "trace/causality.h"

/* All of one receive: race_sets.sends[first .. first + count). */
struct race_set {
    uint32_t receive; /* an event, by index */
    uint32_t first, count;
};

struct race_sets {
    struct race_set *list; /* by `receive`; receives without rivals have none */
    uint32_t *sends;       /* events */
    uint32_t count, send_count;
};

/* `order` was made with SENDS_FREE. */
void race_sets_init(struct race_sets *sets, const struct causality *order);
void race_sets_destroy(struct race_sets *sets);

#endif
