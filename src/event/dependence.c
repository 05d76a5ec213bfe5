/* dependence.c - see dependence.h. Pure functions of two operations, or of two events.
 *
 * Memory: overlapping bytes, at least one a write. Objects: a shared object, unless both only read.
 * Tasks: create, join, detach, kill and end of the same task; the ends of different tasks, if the
 * program can see which one is the last. A write of CLASS_ALL conflicts with everything, also with
 * CLASS_NONE: the end of the process takes every other task's future away, and a sleep is a
 * cancellation point. A read of CLASS_ALL (a cancellation point) conflicts with such writes only.
 *
 * A futex is a word of memory, and the tasks that sleep on it. A wait reads the word and falls
 * asleep. The end of a sleep and a wake-up do not touch the word. Tasks that fall asleep or go on do
 * not notice each other, since a wake-up chooses among all sleepers: only wake-ups notice them.
 *
 * Some pairs commute although both write: posts of a semaphore, readers that take a read-write
 * lock, annotated releases, tasks that leave a barrier, the end of a task and its detach. Two
 * stores of the same value do not commute: a task that reads the value acquires what the last of
 * the two stores released, so their order decides what is a data race.
 *
 * Events: an atomic section whose footprint is known depends on what conflicts with that
 * (footprint.h). A receive depends on the send of its own message. It also depends on the other sends to
 * its queue if it matters how many messages wait there (op.room): the channel has a bound or
 * blocks, or more messages were sent than may wait. */
#include "event/dependence.h"

#include "event/footprint.h"

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

static bool commute(const struct op_info *a, const struct op_info *b) {
    return (a->facts & b->facts & COMMUTES) && a->act == b->act;
}

static bool leaves_word_alone(const struct op *op) {
    return op->kind == OP_FUTEX_SLEEP || op->kind == OP_FUTEX_WAKE;
}

static bool only_reads_word(const struct op *op) {
    return op_info(op->kind)->effect == EFFECT_READ || op->kind == OP_FUTEX_WAIT;
}

/* Of an operation on a futex and an access of its word. */
static bool futex_commutes(const struct op *a, const struct op *b) {
    if ((op_info(a->kind)->about == ABOUT_FUTEX) == (op_info(b->kind)->about == ABOUT_FUTEX))
        return false;
    return leaves_word_alone(a) || leaves_word_alone(b) ||
           (only_reads_word(a) && only_reads_word(b));
}

static bool ends_detached(const struct op *a, const struct op *b) {
    return (a->kind == OP_END && b->kind == OP_DETACH) ||
           (a->kind == OP_DETACH && b->kind == OP_END);
}

/* A machine that guesses the number of another one can send to it too early. */
static bool creates_receiver(const struct op *create, const struct op *send) {
    return create->kind == OP_CREATE && create->object != 0 && send->kind == OP_SEND &&
           (send->object == create->object || send->object == create->numbers);
}

/* Machines are numbered as they are created. */
static bool number_machines(const struct op *a, const struct op *b) {
    return a->numbers != 0 && a->numbers == b->numbers;
}

/* The program can see which task is the last to end (`object`), so the ends are ordered. */
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
    case CLASS_MEMORY: return overlap(a, b) && !commute(info_a, info_b) && !futex_commutes(a, b);
    case CLASS_OBJECT: return shares_object(a, b) && !commute(info_a, info_b);
    case CLASS_TASK:
        return (a->target == b->target && a->target != NO_TASK && !ends_detached(a, b)) ||
               ends_of_all(a, b) || number_machines(a, b);
    case CLASS_NONE:
    case CLASS_ALL: return false;
    }
    return true;
}

/* --- events --------------------------------------------------------------------------------- */

static bool wakes_nobody(const struct event *event) {
    return event->op.kind == OP_FUTEX_WAKE && event->woken == 0 && !(event->flags & EVENT_AHEAD);
}

/* An operation that fails leaves everything as it is, and so does a wake-up if nobody sleeps. But a
 * sleeper that gives up sleeps no more, and then takes the mutex; and a monitor sees a message that
 * is sent, whether it arrives or not. */
static bool only_read(const struct event *event) {
    const struct op_info *info = op_info(event->op.kind);
    if (info->effect == EFFECT_READ || wakes_nobody(event))
        return true;
    if (!(event->flags & (EVENT_FAILED | EVENT_TIMED_OUT)) || (info->facts & SLEEPS))
        return false;
    if (info->act == ACT_SEND)
        return event->op.monitors == 0;
    return info->class != CLASS_NONE && info->class != CLASS_ALL;
}

/* A task that leaves a barrier has waited for the last arrival of its own round, and for no
 * other. */
static bool lets_go(const struct event *arrival, const struct event *departure) {
    return !(arrival->flags & EVENT_AHEAD) && arrival->last &&
           arrival->op.round == departure->op.round;
}

/* Given that the operations are dependent: are the events independent, seen from `a`? */
static bool unaffected(const struct event *a, const struct event *b) {
    if (a->op.kind == OP_SEND)
        return op_receives(b->op.kind) && !(b->flags & EVENT_FAILED) && a->number != b->number &&
               a->op.room == 0;
    if (a->op.kind == OP_FUTEX_WAIT) /* it has not fallen asleep */
        return b->op.kind == OP_FUTEX_WAKE && (a->flags & EVENT_FAILED);
    if (a->op.kind == OP_ONCE_ENTER)
        return !a->runs && b->op.kind == OP_ONCE_ENTER && !b->runs;
    return false;
}

/* Answers for a section with a footprint, and any event. */
static bool section_depends(const struct event *section, const struct event *event) {
    const struct footprint *footprint = footprint_of(section);
    if (has_footprint(event))
        return footprints_conflict(footprint, footprint_of(event));
    if (writes_all(op_info(event->op.kind)))
        return true;
    return op_info(event->op.kind)->class == CLASS_MEMORY &&
           footprint_meets(footprint, event->op.object, event->op.size, !only_read(event));
}

bool dependent_events_at_all(const struct event *a, const struct event *b) {
    if ((a->flags | b->flags) & EVENT_IDLE)
        return false;
    if ((a->flags | b->flags) & EVENT_FATAL)
        return true;
    if (has_footprint(a) || has_footprint(b))
        return has_footprint(a) ? section_depends(a, b) : section_depends(b, a);
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
