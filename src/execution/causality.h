/* causality.h - which events of an execution happen before which others.
 *
 * The order is the one that the reductions use: the order within each task, creation, joining, and
 * any two events that are dependent (event/dependence.h), closed under transitivity. If two events
 * are not ordered, they could have come the other way round, and no task would have noticed.
 *
 * Memory comes from a pool. The clocks take (events * tasks) numbers. Executions that are too large
 * are given up, because they would take minutes. */
#ifndef EXECUTION_CAUSALITY_H
#define EXECUTION_CAUSALITY_H

#include "execution/events.h"

enum arrow_kind { ARROW_CREATE, ARROW_JOIN, ARROW_MESSAGE, ARROW_ORDER, ARROW_KINDS };

const char *arrow_kind_name(enum arrow_kind kind);

/* From the earlier to the later of two events of different tasks. Events are given by their
 * index. */
struct arrow {
    uint32_t from, to;
    enum arrow_kind kind;
};

struct causality {
    struct pool *pool; /* borrowed */
    struct events events;
    /* for each event a row of task_count numbers: the index + 1 of the last event before it */
    uint32_t *clocks;
    /* Sorted by `to`. No arrow follows from other arrows and the order within tasks, except those
     * of messages: each message has one. */
    struct arrow *arrows;
    uint32_t arrow_count, arrow_capacity;
    bool complete; /* false: the execution is too large, and nothing is known */
};

/* Whether two sends to one mailbox are ordered by the mailbox alone. */
enum causality_sends { SENDS_ORDERED, SENDS_FREE };

/* The list of events is borrowed until causality_destroy(). */
void causality_init(struct causality *causality, struct pool *pool, const struct events *events,
                    enum causality_sends sends);
void causality_destroy(struct causality *causality);

/* Returns false for an event and itself, and for all events if the order is not complete. */
bool causality_before(const struct causality *causality, uint32_t earlier, uint32_t later);

#endif
