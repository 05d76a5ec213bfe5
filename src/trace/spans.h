/* spans.h - how long each task of a recorded execution held what, and waited for what.
 *
 * A lock, a read-write lock, a routine that runs once: from the event that takes it to the one that
 * gives it back. Waiting: from where a task stood before an operation that could not go on (a lock that
 * another has, an empty mailbox or semaphore, a signal, a barrier, the end of a task) to where it could;
 * what the finding says is blocked waits to the end.
 *
 * Left out: an operation that may time out does not wait; a receive by a predicate waits only as long as
 * there is no message at all; a condition variable's sleeper waits until it moves on. */
#ifndef TRACE_SPANS_H
#define TRACE_SPANS_H

#include "trace/trace.h"

enum span_kind { SPAN_HELD, SPAN_SHARED, SPAN_WAITING, SPAN_KINDS };

const char *span_kind_name(enum span_kind kind);

struct span {
    enum span_kind kind;
    uint32_t task;
    uint64_t object;   /* 0: the end of `holder` */
    uint32_t from, to; /* events, by index; event_count: to the end */
    uint32_t holder;   /* of what is waited for, when the waiting began; or NO_TASK */
};

struct spans {
    struct span *list; /* by `from` */
    uint32_t count;
    uint32_t
        *ends; /* by task: the event with which it ended; event_count: not known to have ended */
};

void spans_init(struct spans *spans, const struct trace *trace);
void spans_destroy(struct spans *spans);

#endif
