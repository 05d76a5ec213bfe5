/* spans.h - how long each task of an execution held an object, or waited for one.
 *
 * Holding (a lock, a read-write lock, a routine that runs once) lasts from the event that takes the
 * object to the event that gives it back. Waiting (for a lock of another task, for a message, a
 * semaphore, a signal, a barrier, the end of a task) begins when the task stands before an
 * operation that cannot go on, and ends when the operation can. Tasks that are blocked in the
 * finding wait until the end.
 *
 * Left out: an operation that may time out does not wait; a receive by a predicate waits only while
 * there is no message at all; a sleeper on a condition variable waits until it moves on. */
#ifndef EXECUTION_SPANS_H
#define EXECUTION_SPANS_H

#include "execution/events.h"
#include "execution/finding.h"

enum span_kind { SPAN_HELD, SPAN_SHARED, SPAN_WAITING, SPAN_KINDS };

const char *span_kind_name(enum span_kind kind);

struct span {
    enum span_kind kind;
    uint32_t task;
    uint64_t object;   /* 0: the end of `holder` */
    uint32_t from, to; /* events, by index; event_count: to the end */
    uint32_t holder;   /* the holder of the object when the waiting began, or NO_TASK */
};

struct spans {
    struct pool *pool; /* borrowed */
    struct span *list; /* by `from` */
    uint32_t count, capacity;
    uint32_t
        /* for each task, its last event; the number of events if the task is not known to have
         * ended */
        *ends;
    uint32_t task_count;
};

/* The waits of `finding` last to the end of the execution. NULL: there is no finding. */
void spans_init(struct spans *spans, struct pool *pool, const struct events *events,
                const struct finding *finding);
void spans_destroy(struct spans *spans);

#endif
