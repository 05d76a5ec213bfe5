/* dependence.h - whether the order of two operations, or of two events, matters. */
#ifndef EVENT_DEPENDENCE_H
#define EVENT_DEPENDENCE_H

#include <stdbool.h>

#include "event/event.h"
#include "event/touch.h"

/* For operations of two different tasks; symmetric. Returns false only where both orders are known
 * to lead to the same state, and neither operation enables or disables the other. Doubt means
 * dependent. The operations may not have happened yet, so a compare-exchange counts as a write. */
bool dependent(const struct op *a, const struct op *b);

/* Flags beside those of enum event_flag, for the next function only. */
enum {
    EVENT_FATAL = 1 << 30, /* the execution ended in this step, so no task can move after it */
    /* only the operation is known: it has not happened, or has happened in another place */
    EVENT_AHEAD = 1 << 29,
};

/* The same for events. Their results are known, so there are fewer doubts: a failed
 * compare-exchange has only read, and a receive depends on the send of its own message alone. An
 * idle event depends on nothing. */
bool dependent_events_at_all(const struct event *a, const struct event *b);

static inline const struct footprint *footprint_of(const struct event *event) {
    return (const struct footprint *)event->footprint;
}

/* Returns true for an atomic section that has run, and of which it is known what it touches. */
static inline bool has_footprint(const struct event *event) {
    return event->op.kind == OP_ATOMIC && !(event->flags & EVENT_AHEAD) && event->footprint != 0 &&
           footprint_of(event)->granule_count > 0;
}

/* Returns true if the event depends on events that touch something else. */
static inline bool touches_everything(const struct event *event) {
    if (event->flags & EVENT_FATAL)
        return true;
    return touches_all(&event->op) && !has_footprint(event);
}

static inline bool is_atomic_access(const struct event *event) {
    return event->op.kind <= OP_CAS;
}

/* Decides most pairs quickly: atomic accesses, and different objects. */
static inline bool dependent_events(const struct event *a, const struct event *b) {
    if ((a->flags | b->flags) & (EVENT_FATAL | EVENT_IDLE))
        return ((a->flags | b->flags) & EVENT_IDLE) == 0;
    if (is_atomic_access(a) && is_atomic_access(b)) {
        bool a_reads = a->op.kind == OP_LOAD || (a->flags & EVENT_FAILED);
        bool b_reads = b->op.kind == OP_LOAD || (b->flags & EVENT_FAILED);
        if ((a_reads && b_reads) || a->op.object >= b->op.object + b->op.size ||
            b->op.object >= a->op.object + a->op.size)
            return false;
        if (a->op.kind != OP_STORE || b->op.kind != OP_STORE)
            return true;
    } else if (op_info(a->op.kind)->class == CLASS_OBJECT &&
               op_info(b->op.kind)->class == CLASS_OBJECT && (a->op.object2 | b->op.object2) == 0 &&
               a->op.object != b->op.object) {
        return false;
    }
    return dependent_events_at_all(a, b);
}

_Static_assert(OP_LOAD == 0 && OP_STORE == 1 && OP_RMW == 2 && OP_CAS == 3,
               "the atomic accesses come first");

#endif
