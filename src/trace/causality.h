/* causality.h - which events of a recorded execution happen before which others.
 *
 * The order is that of the reductions: the order of each task, creation, joining, and any two events
 * that are dependent (event/dependence.h), closed under transitivity. What is not ordered could have
 * come the other way round without anybody noticing. For readers of traces: it goes by malloc, and
 * gives up on what is too large instead of taking for ever. */
#ifndef TRACE_CAUSALITY_H
#define TRACE_CAUSALITY_H

#include "trace/trace.h"

enum arrow_kind { ARROW_CREATE, ARROW_JOIN, ARROW_MESSAGE, ARROW_ORDER, ARROW_KINDS };

const char *arrow_kind_name(enum arrow_kind kind);

/* From the earlier to the later event, of different tasks; events by their index. */
struct arrow {
    uint32_t from, to;
    enum arrow_kind kind;
};

struct causality {
    const struct trace *trace; /* borrowed */
    uint32_t *clocks;     /* a row of task_count an event: index + 1 of the last event before */
    struct arrow *arrows; /* by `to`; none follows from others and the order of tasks, but */
    uint32_t arrow_count; /* messages always have one */
    bool complete;        /* false: there is too much of it, and nothing is known */
};

/* How two sends to one mailbox count: that they came in this order may be all there is to it. */
enum causality_sends { SENDS_ORDERED, SENDS_FREE };

void causality_init(struct causality *causality, const struct trace *trace,
                    enum causality_sends sends);
void causality_destroy(struct causality *causality);

/* False also for an event and itself, and for everything if it is not complete. */
bool causality_before(const struct causality *causality, uint32_t earlier, uint32_t later);

#endif
