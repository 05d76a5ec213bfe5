/* happens_before.c - see happens_before.h. Each function of the form x_orders(history, i, j) is one
 * sentence of C11 or POSIX: does item i synchronise with the later item j? */
#include "unit/happens_before.h"

#include <string.h>

#include "base/check.h"

/* --- the list ------------------------------------------------------------------------------- */

static bool is_kind(const struct item *item, enum op_kind kind) {
    return item->event.op.kind == kind;
}

static bool is_atomic_op(const struct item *item) {
    return is_kind(item, OP_LOAD) || is_kind(item, OP_STORE) || is_kind(item, OP_RMW) ||
           is_kind(item, OP_CAS);
}

static bool succeeded(const struct item *item) {
    return !(item->event.flags & (EVENT_FAILED | EVENT_TIMED_OUT));
}

/* Is the task between the begin and the end of a section? */
static bool within_section(const struct history *history, uint32_t task) {
    for (uint32_t i = history->count; i-- > 0;)
        if (history->items[i].task == task && is_kind(&history->items[i], OP_ATOMIC))
            return history->items[i].event.op.value == 0;
    return false;
}

static struct item *add(struct history *history, uint32_t task) {
    CHECK(history->count < HISTORY_MAX);
    bool in_section = within_section(history, task);
    struct item *item = &history->items[history->count++];
    *item = (struct item){.task = task, .in_section = in_section, .reported = -1};
    return item;
}

void history_event(struct history *history, const struct event *event) {
    struct item *item = add(history, event->task);
    item->event = *event;
    item->pc = event->op.pc;
    bool memory =
        is_atomic_op(item) || is_kind(item, OP_VOLATILE_READ) || is_kind(item, OP_VOLATILE_WRITE);
    if (!memory)
        return;
    item->address = event->op.object;
    item->size = event->op.size;
    item->atomic = is_atomic_op(item) || item->in_section;
    item->write = op_info(event->op.kind)->effect == EFFECT_WRITE && succeeded(item);
}

void history_access(struct history *history, uint32_t task, uint64_t address, uint32_t size,
                    bool write, uint64_t pc) {
    struct item *item = add(history, task);
    item->event.op.kind = OP_KINDS;
    item->address = address;
    item->size = size;
    item->write = write;
    item->atomic = item->in_section;
    item->pc = pc;
}

bool items_overlap(const struct item *a, const struct item *b) {
    return a->address < b->address + b->size && b->address < a->address + a->size;
}

int32_t history_find(const struct history *history, uint32_t task, uint64_t pc) {
    for (uint32_t i = 0; i < history->count; i++)
        if (history->items[i].task == task && history->items[i].pc == pc &&
            history->items[i].size > 0)
            return (int32_t)i;
    return -1;
}

/* --- locks and the like --------------------------------------------------------------------- */

static bool same_object(const struct item *a, const struct item *b) {
    return a->event.op.object == b->event.op.object;
}

static uint64_t mutex_of(const struct item *item) {
    bool waits = is_kind(item, OP_COND_WAIT) || is_kind(item, OP_COND_WAKE);
    return waits ? item->event.op.object2 : item->event.op.object;
}

static bool mutex_orders(const struct item *a, const struct item *b) {
    bool gives = (is_kind(a, OP_UNLOCK) || is_kind(a, OP_ABANDON) || is_kind(a, OP_COND_WAIT) ||
                  is_kind(a, OP_SPIN_UNLOCK)) &&
                 succeeded(a);
    bool takes = is_kind(b, OP_LOCK) || is_kind(b, OP_TRYLOCK) || is_kind(b, OP_SPIN_LOCK) ||
                 is_kind(b, OP_SPIN_TRYLOCK);
    takes = (takes && succeeded(b)) || is_kind(b, OP_COND_WAKE);
    return gives && takes && mutex_of(a) == mutex_of(b);
}

/* Was the task of this unlock a writer? Its last successful lock of the object says so. */
static bool unlocks_writer(const struct history *history, uint32_t at) {
    const struct item *unlock = &history->items[at];
    while (at-- > 0) {
        const struct item *item = &history->items[at];
        if (item->task != unlock->task || !same_object(item, unlock) || !succeeded(item))
            continue;
        if (is_kind(item, OP_WRITE_LOCK) || is_kind(item, OP_TRY_WRITE_LOCK))
            return true;
        if (is_kind(item, OP_READ_LOCK) || is_kind(item, OP_TRY_READ_LOCK))
            return false;
    }
    return false;
}

static bool rwlock_orders(const struct history *history, uint32_t i, uint32_t j) {
    const struct item *a = &history->items[i], *b = &history->items[j];
    if (!is_kind(a, OP_RW_UNLOCK) || !succeeded(a) || !same_object(a, b) || !succeeded(b))
        return false;
    if (is_kind(b, OP_WRITE_LOCK) || is_kind(b, OP_TRY_WRITE_LOCK))
        return true;
    bool reads = is_kind(b, OP_READ_LOCK) || is_kind(b, OP_TRY_READ_LOCK);
    return reads && unlocks_writer(history, i);
}

static bool pair_orders(const struct item *a, const struct item *b) {
    if (!same_object(a, b) || !succeeded(a) || !succeeded(b))
        return false;
    if (is_kind(a, OP_SEM_POST))
        return is_kind(b, OP_SEM_WAIT) || is_kind(b, OP_SEM_TRYWAIT);
    if (is_kind(a, OP_ONCE_LEAVE))
        return is_kind(b, OP_ONCE_ENTER);
    if (is_kind(a, OP_SEND))
        return (is_kind(b, OP_RECEIVE) || is_kind(b, OP_TRY_RECEIVE)) &&
               a->event.result == b->event.result;
    return false;
}

/* The round of a barrier to which an arrival belongs: the number of rounds that were complete
 * before it. */
static uint32_t round_of(const struct history *history, uint32_t at) {
    uint32_t round = 0;
    for (uint32_t i = 0; i < at; i++) {
        const struct item *item = &history->items[i];
        round += is_kind(item, OP_BARRIER_ARRIVE) && same_object(item, &history->items[at]) &&
                 item->event.result == 1;
    }
    return round;
}

static uint32_t arrival_of(const struct history *history, uint32_t leave) {
    uint32_t at = leave;
    do
        CHECK(at-- > 0);
    while (history->items[at].task != history->items[leave].task ||
           !is_kind(&history->items[at], OP_BARRIER_ARRIVE));
    return at;
}

static bool barrier_orders(const struct history *history, uint32_t i, uint32_t j) {
    const struct item *a = &history->items[i], *b = &history->items[j];
    if (!is_kind(a, OP_BARRIER_ARRIVE) || !same_object(a, b))
        return false;
    if (is_kind(b, OP_BARRIER_LEAVE))
        return round_of(history, i) == round_of(history, arrival_of(history, j));
    return is_kind(b, OP_BARRIER_ARRIVE) && b->event.result == 1 &&
           round_of(history, i) == round_of(history, j);
}

static bool task_orders(const struct item *a, const struct item *b) {
    if (is_kind(a, OP_CREATE) && succeeded(a) && a->event.result == b->task)
        return true;
    return (is_kind(b, OP_JOIN) || is_kind(b, OP_TRYJOIN)) && succeeded(b) &&
           b->event.op.target == a->task;
}

/* Does the item belong to the section that begins with item `begin`? */
static bool is_inside(const struct history *history, uint32_t begin, uint32_t at) {
    const struct item *items = history->items;
    if (items[at].task != items[begin].task)
        return false;
    for (uint32_t i = begin + 1; i <= at; i++)
        if (items[i].task == items[begin].task && is_kind(&items[i], OP_ATOMIC))
            return false;
    return at > begin;
}

static uint32_t begin_of(const struct history *history, uint32_t end) {
    uint32_t at = end;
    do
        CHECK(at-- > 0);
    while (history->items[at].task != history->items[end].task ||
           !is_kind(&history->items[at], OP_ATOMIC));
    return at;
}

/* Has the section done something else than access memory, or nothing at all? */
static bool is_vague(const struct history *history, uint32_t begin) {
    bool accesses = false;
    for (uint32_t i = begin; i < history->count; i++) {
        const struct item *item = &history->items[i];
        if (!is_inside(history, begin, i) || is_kind(item, OP_FENCE))
            continue;
        if (item->size == 0)
            return true;
        accesses = true;
    }
    return !accesses;
}

static bool sections_conflict(const struct history *history, uint32_t a, uint32_t b) {
    for (uint32_t i = a; i < history->count; i++)
        for (uint32_t j = b; j < history->count; j++)
            if (is_inside(history, a, i) && is_inside(history, b, j) &&
                history->items[i].size > 0 && history->items[j].size > 0 &&
                items_overlap(&history->items[i], &history->items[j]) &&
                (history->items[i].write || history->items[j].write))
                return true;
    return false;
}

/* The end of a section and the begin of a later one that touches the same. */
static bool section_orders(const struct history *history, uint32_t i, uint32_t j) {
    const struct item *a = &history->items[i], *b = &history->items[j];
    if (!is_kind(a, OP_ATOMIC) || a->event.op.value == 0 || !is_kind(b, OP_ATOMIC) ||
        b->event.op.value == 1)
        return false;
    uint32_t begin = begin_of(history, i);
    return is_vague(history, begin) || is_vague(history, j) || sections_conflict(history, begin, j);
}

/* --- atomics -------------------------------------------------------------------------------- */

static bool has_release(uint32_t order) {
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

static bool has_acquire(uint32_t order) {
    return order == ORDER_CONSUME || order == ORDER_ACQUIRE || order == ORDER_ACQ_REL ||
           order == ORDER_SEQ_CST;
}

/* The last write before `at` to the bytes of this atomic, or -1. */
static int32_t write_before(const struct history *history, uint32_t at, const struct item *atomic) {
    while (at-- > 0)
        if (history->items[at].write && items_overlap(&history->items[at], atomic))
            return (int32_t)at;
    return -1;
}

/* Does `head` begin or continue the release sequence from which `reader` has read? The search goes
 * back from the write that `reader` has read. If that write is a read-modify-write, or in C11 a
 * store of the head's own task, the search goes on with the write before it, and so on. */
static bool heads(const struct history *history, uint32_t head, uint32_t reader) {
    const struct item *atomic = &history->items[reader];
    int32_t at = write_before(history, reader, atomic);
    while (at >= 0 && is_atomic_op(&history->items[at])) {
        bool own = history->items[at].task == history->items[head].task;
        if ((uint32_t)at == head)
            return true;
        if (is_kind(&history->items[at], OP_STORE) && (!own || history->stores_end))
            return false;
        at = write_before(history, (uint32_t)at, atomic);
    }
    return false;
}

static bool reads_atomically(const struct item *item) {
    return is_atomic_op(item) && !is_kind(item, OP_STORE);
}

static uint32_t reading_order(const struct item *item) {
    return succeeded(item) ? item->event.op.order : item->event.op.target;
}

/* C11 7.17.4. The writing side is i itself or, if i is a release fence, some atomic write of its
 * task after the fence. The reading side is j itself or, if j is an acquire fence, some atomic read
 * of its task before the fence. i synchronises with j if the write heads the release sequence from
 * which the read has read. */
static bool atomics_order(const struct history *history, uint32_t i, uint32_t j) {
    const struct item *a = &history->items[i], *b = &history->items[j];
    bool from_fence = is_kind(a, OP_FENCE), to_fence = is_kind(b, OP_FENCE);
    if (!(from_fence || is_atomic_op(a)) || !has_release(a->event.op.order))
        return false;
    if (!(to_fence || reads_atomically(b)) ||
        !has_acquire(to_fence ? b->event.op.order : reading_order(b)))
        return false;
    for (uint32_t w = i; w < (from_fence ? history->count : i + 1); w++) {
        const struct item *write = &history->items[w];
        if (write->task != a->task || !is_atomic_op(write) || !write->write)
            continue;
        for (uint32_t r = to_fence ? 0 : j; r <= j; r++) {
            const struct item *read = &history->items[r];
            if (read->task == b->task && reads_atomically(read) && heads(history, w, r))
                return true;
        }
    }
    return false;
}

/* --- the order ------------------------------------------------------------------------------ */

static bool edge(const struct history *history, uint32_t i, uint32_t j) {
    const struct item *a = &history->items[i], *b = &history->items[j];
    return a->task == b->task || task_orders(a, b) || mutex_orders(a, b) || pair_orders(a, b) ||
           section_orders(history, i, j) || rwlock_orders(history, i, j) ||
           barrier_orders(history, i, j) || atomics_order(history, i, j);
}

void history_close(struct history *history) {
    for (uint32_t j = 0; j < history->count; j++) {
        uint64_t *before = history->items[j].before;
        memset(before, 0, sizeof history->items[j].before);
        for (uint32_t i = 0; i < j; i++) {
            if (!edge(history, i, j))
                continue;
            before[i / 64] |= (uint64_t)1 << i % 64;
            for (uint32_t k = 0; k < HISTORY_MAX / 64; k++)
                before[k] |= history->items[i].before[k];
        }
    }
}

bool history_race(const struct history *history, uint32_t earlier, uint32_t later) {
    const struct item *a = &history->items[earlier], *b = &history->items[later];
    bool ordered = b->before[earlier / 64] >> earlier % 64 & 1;
    return a->task != b->task && items_overlap(a, b) && (a->write || b->write) &&
           !(a->atomic && b->atomic) && !ordered;
}
