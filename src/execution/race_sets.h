/* race_sets.h - which other messages a receive could have taken (seed 004, definition 3.3.5).
 *
 * The race set of a receive holds the sends to its mailbox that do not happen after the receive,
 * and whose messages were not received before it. Channels in 004 have no order, but our mailboxes
 * keep the order of messages. So a message is in the set only if no other message that is still in
 * the mailbox had to be sent before it. The order is that of causality.h without the order among
 * sends (SENDS_FREE).
 *
 * A receive by a predicate shows part of its predicate: the messages that it passed over, and those
 * that it says it would have taken. Messages that the predicate is known to refuse are not in the
 * set. */
#ifndef EXECUTION_RACE_SETS_H
#define EXECUTION_RACE_SETS_H

#include "execution/causality.h"

/* The race set of one receive: race_sets.sends[first .. first + count). */
struct race_set {
    uint32_t receive; /* the index of its event */
    uint32_t first, count;
};

struct race_sets {
    struct pool *pool;     /* borrowed */
    struct race_set *list; /* sorted by `receive`; receives without rivals are not in the list */
    uint32_t *sends;       /* events */
    uint32_t count, send_count;
    uint32_t capacity, send_capacity;
};

/* `order` was made with SENDS_FREE. Memory comes from its pool. */
void race_sets_init(struct race_sets *sets, const struct causality *order);
void race_sets_destroy(struct race_sets *sets);

#endif
