/* dependence.c - see dependence.h. Pure functions of two operations, or of two events.
 *
 * Memory: overlapping bytes, at least one a write. Objects: a shared object, unless both only read.
 * Tasks: create, join, detach, kill and end of the same task; ends of different ones where the last one matters. What writes CLASS_ALL conflicts with
 * everything, also with CLASS_NONE: the end of the process takes every other task's future away; a sleep is
 * a cancellation point. What reads CLASS_ALL (a cancellation point) sees only such writes.
 *
 * Then the pairs that commute although both write: posts of a semaphore, readers that take a read-write
 * lock, annotated releases, tasks that leave a barrier, the end of a task and its detach. Stores of one value do not: whoever
 * reads it acquires what the last one of them released, so their order decides what is a data race. */
#include "event/dependence.h"

/* --- operations ----------------------------------------------------------------------------- */

static bool overlap(const struct op *a, const struct op *b) {
    return a->object < b->object + b->size && b->object < a->object + a->size;
}

static bool shares_object(const struct op *a, const struct op *b) {
    if (a->object == b->object || a->object == b->object2)
        return true;
    return a->object2 != 0 && (a->object2 == b->object || a->object2 == b->object2);
}

static bool writes_all(const struct op_info *info) {
    return info->class == CLASS_ALL && info->effect == EFFECT_WRITE;
}

static bool reads_lock(enum op_kind kind) {
    return kind == OP_READ_LOCK || kind == OP_TRY_READ_LOCK;
}

static bool commute(const struct op *a, const struct op *b) {
    switch (a->kind) {
    case OP_SEM_POST: return b->kind == OP_SEM_POST;
    case OP_ANNOTATE_RELEASE: return b->kind == OP_ANNOTATE_RELEASE;
    case OP_BARRIER_LEAVE: return b->kind == OP_BARRIER_LEAVE;
    case OP_READ_LOCK:
    case OP_TRY_READ_LOCK: return reads_lock(b->kind);
    case OP_END: return b->kind == OP_DETACH;
    case OP_DETACH: return b->kind == OP_END;
    default: return false;
    }
}

/* A machine that guesses the number of another one can send to it too early. */
static bool creates_receiver(const struct op *create, const struct op *send) {
    return create->kind == OP_CREATE && create->object != 0 && send->kind == OP_SEND &&
           (send->object == create->object || send->object == create->object2);
}

/* Machines are numbered as they are created. */
static bool number_machines(const struct op *a, const struct op *b) {
    return a->object2 != 0 && a->object2 == b->object2;
}

/* Which task is the last to end can be seen (`object`), so their ends are ordered. */
static bool ends_of_all(const struct op *a, const struct op *b) {
    return a->kind == OP_END && b->kind == OP_END && a->object != 0 && a->object == b->object;
}

bool dependent(const struct op *a, const struct op *b) {
    const struct op_info *info_a = op_info(a->kind), *info_b = op_info(b->kind);
    if (writes_all(info_a) || writes_all(info_b))
        return true;
    if (info_a->class != info_b->class)
        return creates_receiver(a, b) || creates_receiver(b, a);
    if (info_a->effect == EFFECT_READ && info_b->effect == EFFECT_READ)
        return false;
    switch (info_a->class) {
    case CLASS_MEMORY: return overlap(a, b) && !commute(a, b);
    case CLASS_OBJECT: return shares_object(a, b) && !commute(a, b);
    case CLASS_TASK:
        return (a->target == b->target && a->target != NO_TASK && !commute(a, b)) ||
               ends_of_all(a, b) || number_machines(a, b);
    case CLASS_NONE:
    case CLASS_ALL: return false;
    }
    return true;
}

/* --- events --------------------------------------------------------------------------------- */

/* What fails leaves everything as it is; but a sleeper that gives up sleeps no more, and takes the
 * mutex then. */
static bool only_read(const struct event *event) {
    const struct op_info *info = op_info(event->op.kind);
    if (info->effect == EFFECT_READ)
        return true;
    if (!(event->flags & (EVENT_FAILED | EVENT_TIMED_OUT)))
        return false;
    switch ((enum op_kind)event->op.kind) {
    case OP_COND_SLEEP:
    case OP_COND_WAKE:
    case OP_FUTEX_SLEEP: return false;
    case OP_SEND: return event->op.object2 == 0; /* a monitor sees it, whether it arrives or not */
    default: return info->class != CLASS_NONE && info->class != CLASS_ALL;
    }
}

/* Whoever leaves a barrier waited for the last one of his own round, and cares for no other. */
static bool lets_go(const struct event *arrival, const struct event *departure) {
    return !(arrival->flags & EVENT_AHEAD) && arrival->result == 1 &&
           arrival->op.value == departure->op.value;
}

/* Given that the operations are dependent: are the events independent, seen from `a`? */
static bool unaffected(const struct event *a, const struct event *b) {
    switch (a->op.kind) {
    case OP_SEND:
        return op_receives(b->op.kind) && !(b->flags & EVENT_FAILED) && a->result != b->result &&
               a->op.size == 0;
    case OP_ONCE_ENTER: /* result: it runs the routine */
        return a->result == 0 && b->op.kind == OP_ONCE_ENTER && b->result == 0;
    default: return false;
    }
}

bool dependent_events_at_all(const struct event *a, const struct event *b) {
    if ((a->flags | b->flags) & EVENT_IDLE)
        return false;
    if ((a->flags | b->flags) & EVENT_FATAL)
        return true;
    if (!dependent(&a->op, &b->op))
        return false;
    if (only_read(a) && only_read(b))
        return false;
    if (a->op.kind == OP_BARRIER_LEAVE && b->op.kind == OP_BARRIER_ARRIVE)
        return lets_go(b, a);
    if (b->op.kind == OP_BARRIER_LEAVE && a->op.kind == OP_BARRIER_ARRIVE)
        return lets_go(a, b);
    if ((a->flags | b->flags) & EVENT_AHEAD)
        return true;
    return !unaffected(a, b) && !unaffected(b, a);
}
