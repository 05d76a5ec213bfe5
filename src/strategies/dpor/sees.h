/* sees.h - which events see what a store has left, and which events replace it without looking.
 * The observability of stores is built from these two questions (observe.h). Both are asked of two
 * events alone. */
#ifndef STRATEGIES_DPOR_SEES_H
#define STRATEGIES_DPOR_SEES_H

#include "event/event.h"

/* A plain write does not count: it may be the write of a free, after which no task may store. */
static inline bool only_stores(enum op_kind kind) {
    return kind == OP_STORE || kind == OP_VOLATILE_WRITE;
}

static inline bool same_bytes(const struct event *a, const struct event *b) {
    return only_stores(a->op.kind) && only_stores(b->op.kind) && a->op.object == b->op.object &&
           a->op.size == b->op.size;
}

/* Returns true if the event sees what was stored, or a part of it. What an atomic section does is
 * not known, so it counts. */
static inline bool sees(const struct event *event, const struct event *store) {
    if (event->op.kind == OP_ATOMIC)
        return true;
    return op_info(event->op.kind)->class == CLASS_MEMORY && !same_bytes(event, store) &&
           event->op.object < store->op.object + store->op.size &&
           store->op.object < event->op.object + event->op.size;
}

#endif
