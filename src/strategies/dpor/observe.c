/* observe.c - see observe.h. Everything is asked of a sequence of elements: a whole execution, or what is
 * planned, with the steps that lead to it. Costs a walk along the sequence for each question. */
#include "strategies/dpor/observe.h"

#include <string.h>

#include "event/dependence.h"

enum { FIRST_PLACES = 64, MATCH_BITS = 32 };

#define UNNAMED ((uint64_t)1 << 63) /* sent within an atomic section */

struct place {
    uint64_t key;  /* address / 8 */
    bool accessed; /* without an operation, in any execution */
    bool used;
};

enum answer { NO, YES, MAYBE };

static const struct observe *observe_of(const struct sequence *sequence) {
    return sequence->history->observe;
}

/* --- places --------------------------------------------------------------------------------- */

static struct place *place_of(const struct observe *observe, uint64_t key) {
    uint32_t mask = observe->place_capacity - 1;
    uint32_t at = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 40) & mask;
    while (observe->places[at].used && observe->places[at].key != key)
        at = (at + 1) & mask;
    return &observe->places[at];
}

static void grow_places(struct observe *observe) {
    struct place *old = observe->places;
    uint32_t count = observe->place_capacity;
    observe->place_capacity = count ? 2 * count : FIRST_PLACES;
    observe->places = pool_alloc(observe->pool, observe->place_capacity * sizeof *old);
    for (uint32_t i = 0; i < count; i++)
        if (old[i].used)
            *place_of(observe, old[i].key) = old[i];
    pool_free(observe->pool, old, count * sizeof *old);
}

static void add_place(struct observe *observe, uint64_t key) {
    if (place_of(observe, key)->used)
        return;
    if (++observe->place_count * 2 > observe->place_capacity)
        grow_places(observe);
    *place_of(observe, key) = (struct place){.key = key, .used = true};
}

static void access_many(struct observe *observe, uint64_t address, uint64_t size) {
    for (uint32_t i = 0; i < observe->place_capacity; i++)
        if (observe->places[i].used && observe->places[i].key >= address / 8 &&
            observe->places[i].key * 8 < address + size)
            observe->places[i].accessed = true;
}

void observe_access(struct observe *observe, uint64_t address, uint32_t size) {
    if (size / 8 > observe->place_capacity) {
        access_many(observe, address, size);
        return;
    }
    for (uint64_t key = address / 8; key * 8 < address + size; key++) {
        struct place *place = place_of(observe, key);
        if (place->used)
            place->accessed = true;
    }
}

static bool accessed_plainly(const struct observe *observe, const struct op *op) {
    for (uint64_t key = op->object / 8; key * 8 < op->object + op->size; key++)
        if (place_of(observe, key)->accessed)
            return true;
    return false;
}

/* --- which pairs are in question ------------------------------------------------------------ */

/* Not a plain write: it may be that of a free, after which nobody may store. */
static bool only_stores(enum op_kind kind) {
    return kind == OP_STORE || kind == OP_VOLATILE_WRITE;
}

static bool same_bytes(const struct event *a, const struct event *b) {
    return only_stores(a->op.kind) && only_stores(b->op.kind) && a->op.object == b->op.object &&
           a->op.size == b->op.size;
}

static bool is_pair(const struct observe *observe, const struct event *a, const struct event *b) {
    if (observe->parked || ((a->flags | b->flags) & EVENT_FATAL))
        return false;
    if (a->op.kind == OP_SEND && ((a->flags | b->flags) & EVENT_FAILED))
        return false;
    if (a->op.kind == OP_SEND)
        return b->op.kind == OP_SEND && a->op.object == b->op.object && !observe->sectioned &&
               (a->op.object2 == 0 || b->op.object2 == 0) && a->op.size == 0 && b->op.size == 0;
    return same_bytes(a, b) && !accessed_plainly(observe, &a->op);
}

/* Does it see what was stored, or a part of it? What an atomic section does is not known. */
static bool looks(const struct event *event, const struct event *store) {
    if (event->op.kind == OP_ATOMIC)
        return true;
    return op_info(event->op.kind)->class == CLASS_MEMORY && !same_bytes(event, store) &&
           event->op.object < store->op.object + store->op.size &&
           store->op.object < event->op.object + event->op.size;
}

static bool receives_from(const struct event *event, const struct event *send) {
    return op_receives(event->op.kind) && event->op.object == send->op.object &&
           !(event->flags & EVENT_FAILED);
}

/* --- stores --------------------------------------------------------------------------------- */

/* The first who sees this store; NO_STEP if nobody does. */
static uint32_t viewer(const struct sequence *sequence, uint32_t store) {
    const struct event *stored = sequence_event(sequence, store);
    for (uint32_t i = store + 1; i < sequence->count; i++) {
        const struct event *event = sequence_event(sequence, i);
        if (!sequence_has(sequence, i))
            continue;
        if (looks(event, stored))
            return i;
        if (same_bytes(event, stored))
            return NO_STEP;
    }
    return NO_STEP;
}

/* --- messages ------------------------------------------------------------------------------- */

/* The receive before which the message of a send was gone, or the send of a receive. */
static uint32_t partner_of(const struct observe *observe, uint32_t step) {
    const struct history *history = observe->history;
    uint32_t partner = observe->messages[step].partner;
    if (partner >= observe->whole.count || /* the history itself is made anew meanwhile */
        history->steps[partner].event.op.object != history->steps[step].event.op.object ||
        history->steps[partner].event.result != history->steps[step].event.result)
        return NO_STEP;
    return partner;
}

static bool waits_in_box(const struct observe *observe, uint32_t send, uint32_t receive) {
    uint32_t partner = partner_of(observe, send);
    return partner == NO_STEP || partner > receive;
}

/* The receive was asked about each message behind its own, if it goes by a predicate. */
static enum answer asked(const struct observe *observe, uint32_t receive, uint32_t own,
                         uint32_t send) {
    const struct history *history = observe->history;
    const struct event *event = &history->steps[receive].event;
    uint32_t place = 0;
    for (uint32_t i = own + 1; i < send; i++)
        place += history->steps[i].event.op.kind == OP_SEND &&
                 !(history->steps[i].event.flags & EVENT_FAILED) &&
                 history->steps[i].event.op.object == event->op.object &&
                 waits_in_box(observe, i, receive);
    if (place >= MATCH_BITS)
        return MAYBE;
    return event->op.target >> place & 1 ? YES : NO;
}

/* Would this receive, as it happened, have taken the message of that send? */
static enum answer takes(const struct observe *observe, uint32_t receive, uint32_t send) {
    const struct history *history = observe->history;
    if (receive == NO_STEP || send == NO_STEP)
        return MAYBE;
    uint32_t own = partner_of(observe, receive);
    if (history_waiting(history, receive, history->steps[receive].event.task)->op.value == 0 ||
        send == own)
        return YES;
    if (own == NO_STEP || send > receive || !waits_in_box(observe, send, receive))
        return MAYBE;
    return send < own ? NO : asked(observe, receive, own, send);
}

static uint32_t step_of(const struct sequence *sequence, uint32_t at) {
    uint32_t step = sequence->elements[at].step;
    return step == NO_STEP && at + 1 == sequence->count ? sequence->race->second : step;
}

static uint32_t send_observer(const struct sequence *sequence, uint32_t first, uint32_t second) {
    const struct event *a = sequence_event(sequence, first), *b = sequence_event(sequence, second);
    bool gone = false;
    for (uint32_t i = first + 1; i < sequence->count; i++) {
        const struct event *event = sequence_event(sequence, i);
        if (!sequence_has(sequence, i) || !receives_from(event, a))
            continue;
        if (event->flags & EVENT_AHEAD)
            return i;
        if (event->result == a->result && !gone &&
            takes(observe_of(sequence), step_of(sequence, i), sequence->elements[second].step) !=
                NO)
            return i;
        gone = gone || event->result == b->result;
    }
    return NO_STEP;
}

static bool is_received(const struct sequence *sequence, uint32_t send) {
    const struct event *sent = sequence_event(sequence, send);
    for (uint32_t i = send + 1; i < sequence->count; i++) {
        const struct event *event = sequence_event(sequence, i);
        if (sequence_has(sequence, i) && receives_from(event, sent) &&
            event->result == sent->result)
            return true;
    }
    return false;
}

/* --- order ---------------------------------------------------------------------------------- */

/* Of a pair. */
static uint32_t pair_observer(const struct sequence *sequence, uint32_t first, uint32_t second) {
    if (sequence_event(sequence, first)->op.kind == OP_SEND)
        return send_observer(sequence, first, second);
    return viewer(sequence, second);
}

static bool leads(const struct sequence *sequence, uint32_t first, uint32_t second) {
    const struct event *a = sequence_event(sequence, first), *b = sequence_event(sequence, second);
    if (a->task != b->task && is_pair(observe_of(sequence), a, b))
        return pair_observer(sequence, first, second) != NO_STEP;
    struct race race = {.second = step_of(sequence, second)};
    return dependent_events(a, b) ||
           history_leads_to(sequence->history, sequence->elements[first].step, &race, b);
}

/* A store in front matters to those who look, a message to those who take a later one. */
static bool meets(const struct sequence *sequence, const struct move *move, uint32_t at) {
    const struct event *event = sequence_event(sequence, at);
    if (is_pair(observe_of(sequence), &move->event, event))
        return event->op.kind == OP_SEND && is_received(sequence, at);
    return dependent_events(&move->event, event);
}

const struct sequence_order observed_order = {leads, meets};

static bool depends(const struct history *history, uint32_t first, const struct event *event,
                    uint32_t second) {
    const struct observe *observe = history->observe;
    const struct event *before = &history->steps[first].event;
    if (!is_pair(observe, before, event))
        return dependent_events(before, event);
    return second != NO_STEP && pair_observer(&observe->whole, first, second) != NO_STEP;
}

uint32_t observe_observer(const struct observe *observe, const struct race *race) {
    if (race->second == NO_STEP ||
        !is_pair(observe, &observe->history->steps[race->first].event, &race->last))
        return NO_STEP;
    return pair_observer(&observe->whole, race->first, race->second);
}

/* --- an execution --------------------------------------------------------------------------- */

void observe_init(struct observe *observe, struct pool *pool, struct history *history) {
    *observe = (struct observe){.pool = pool, .history = history};
    sequence_init(&observe->whole, pool, history);
    observe->whole.order = &observed_order;
    grow_places(observe);
    history->observe = observe;
    history->depends = depends;
    history->late = true;
}

void observe_begin(struct observe *observe) {
    observe->parked = observe->sectioned = false;
    for (uint32_t i = 0; i < observe->history->count; i++)
        observe->sectioned |= observe->history->steps[i].event.op.kind == OP_ATOMIC;
}

void observe_end(struct observe *observe, const struct choice *last) {
    const struct history *history = observe->history;
    for (uint32_t i = 0; i < history->waitings.count; i++) {
        const struct waiting *waiting = &history->waitings.entries[i];
        if (!waiting->gone && !waiting->enabled && !may_wait(waiting->op.kind))
            observe->parked = true;
    }
    for (uint32_t i = last != NULL ? last->count : 0; last != NULL && i < last->live; i++)
        if (!may_wait(last->pending[i].op->kind))
            observe->parked = true;
    history_reorder(observe->history);
}

static uint64_t name_of(const struct observe *observe, uint32_t step, uint32_t task) {
    return (uint64_t)(task + 1) << 32 | observe->messages[step].ordinal;
}

static uint32_t find_send(const struct observe *observe, const struct event *receive) {
    const struct history *history = observe->history;
    for (uint32_t i = history->count; i-- > 0;)
        if (history->steps[i].event.op.kind == OP_SEND &&
            history->steps[i].event.op.object == receive->op.object &&
            observe->messages[i].number == receive->result)
            return i;
    return NO_STEP;
}

static void name_received(struct observe *observe, uint32_t step, struct event *event) {
    uint32_t send = find_send(observe, event);
    observe->messages[step].partner = send;
    event->result =
        send == NO_STEP ? UNNAMED | event->result : observe->history->steps[send].event.result;
    if (send != NO_STEP)
        observe->messages[send].partner = step;
}

void observe_step(struct observe *observe, struct event *event) {
    const struct history *history = observe->history;
    uint32_t step = history->count, last = history->last[event->task];
    observe->messages = pool_grow(observe->pool, observe->messages, &observe->message_capacity,
                                  (size_t)step + 1, sizeof *observe->messages);
    observe->sectioned |= event->op.kind == OP_ATOMIC;
    observe->messages[step] = (struct message){
        event->result, last ? observe->messages[last - 1].ordinal + 1 : 0, NO_STEP};
    if (event->op.kind == OP_SEND)
        event->result = name_of(observe, step, event->task);
    else if (op_receives(event->op.kind) && !(event->flags & EVENT_FAILED))
        name_received(observe, step, event);
    for (uint64_t key = event->op.object / 8;
         only_stores(event->op.kind) && key * 8 < event->op.object + event->op.size; key++)
        add_place(observe, key);
}

/* --- the other order ------------------------------------------------------------------------ */

static void clear_marks(struct observe *observe, uint32_t count) {
    observe->marked = pool_grow(observe->pool, observe->marked, &observe->marked_capacity, count,
                                sizeof *observe->marked);
    memset(observe->marked, 0, count * sizeof *observe->marked);
}

/* All steps that happen after it. */
static void mark_after(struct observe *observe, uint32_t step) {
    for (uint32_t i = step; i < observe->history->count; i++)
        if (happens_before(observe->history, step, i))
            observe->marked[i] = true;
}

/* Everybody who notices the order of the race, and what comes of that. */
static void mark_observed(struct observe *observe, const struct race *race, uint32_t observer) {
    const struct history *history = observe->history;
    clear_marks(observe, history->count);
    mark_after(observe, observer);
    if (race->last.op.kind == OP_SEND)
        return;
    for (uint32_t i = observer + 1; i < history->count; i++) {
        const struct event *event = &history->steps[i].event;
        if (same_bytes(event, &race->last))
            return;
        if (!observe->marked[i] && looks(event, &race->last))
            mark_after(observe, i);
    }
}

static uint32_t place_of_step(const struct sequence *sequence, uint32_t step) {
    uint32_t at = 0;
    while (sequence->elements[at].step != step)
        at++;
    return at;
}

/* The marked elements first, or last. */
static void sort_marked(struct observe *observe, struct sequence *sequence, bool first) {
    uint32_t count = 0;
    observe->sorted = pool_grow(observe->pool, observe->sorted, &observe->sorted_capacity,
                                sequence->count, sizeof *observe->sorted);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < sequence->count; i++)
            if (observe->marked[i] == (first == (pass == 0)))
                observe->sorted[count++] = sequence->elements[i];
    memcpy(sequence->elements, observe->sorted, count * sizeof *observe->sorted);
    sequence_sorted(sequence);
}

/* The first element last, with all that must come after it; with its like it is to be in another order. The
 * last one may observe other places as well: there all stays as it was. */
static void hold_back(struct observe *observe, struct sequence *sequence) {
    const struct event *first = sequence_event(sequence, 0);
    clear_marks(observe, sequence->count);
    observe->marked[0] = true;
    for (uint32_t i = 1; i < sequence->count; i++) {
        const struct event *event = sequence_event(sequence, i);
        bool like = event->task != first->task && same_bytes(first, event);
        for (uint32_t j = like ? 1 : 0; j < i && !observe->marked[i]; j++)
            observe->marked[i] = observe->marked[j] && leads(sequence, j, i);
    }
    sort_marked(observe, sequence, false);
}

/* What leads to an element, and then that one, first. */
static void bring_forward(struct observe *observe, struct sequence *sequence, uint32_t at) {
    clear_marks(observe, sequence->count);
    observe->marked[at] = true;
    for (uint32_t i = at; i-- > 0;)
        for (uint32_t j = i + 1; j <= at && !observe->marked[i]; j++)
            observe->marked[i] = observe->marked[j] && leads(sequence, i, j);
    sort_marked(observe, sequence, true);
}

static uint64_t cut_to_size(uint64_t value, uint32_t size) {
    return size >= sizeof value ? value : value & (((uint64_t)1 << size * 8) - 1);
}

/* What the observer will find is what the first of the race stores. */
static void predict_view(const struct history *history, uint32_t observer,
                         const struct event *store, struct event *event) {
    bool known = store->op.kind == OP_STORE && store->op.object == event->op.object &&
                 store->op.size == event->op.size && store->op.size <= 8;
    uint64_t before = event->result, value = cut_to_size(store->op.value, store->op.size);
    uint64_t expected = history_waiting(history, observer, event->task)->op.value;
    bool fatal = event->flags & EVENT_FATAL;
    event->flags = 0;
    if (known)
        event->result = value;
    if (event->op.kind == OP_CAS && !known)
        event->flags = EVENT_AHEAD;
    else if (event->op.kind == OP_CAS && cut_to_size(expected, event->op.size) != value)
        event->flags = EVENT_FAILED;
    if (known && fatal && before == value)
        event->flags |= EVENT_FATAL;
}

static struct event predict(const struct observe *observe, const struct race *race,
                            uint32_t observer) {
    const struct history *history = observe->history;
    struct event event = history->steps[observer].event;
    switch ((enum op_kind)event.op.kind) {
    case OP_LOAD:
    case OP_VOLATILE_READ:
    case OP_PLAIN_READ:
    case OP_STORE:
    case OP_VOLATILE_WRITE:
    case OP_PLAIN_WRITE:
    case OP_RMW:
    case OP_CAS: predict_view(history, observer, &history->steps[race->first].event, &event); break;
    case OP_RECEIVE:
    case OP_TRY_RECEIVE:
        event.flags = takes(observe, observer, race->second) == YES &&
                              !(event.op.order & MESSAGE_MACHINE) /* its reaction is not known */
                          ? 0
                          : EVENT_AHEAD;
        event.result = race->last.result;
        break;
    default: event.flags = EVENT_AHEAD; break;
    }
    return event;
}

/* A store must be the last of its run to be seen, a message the first to be taken; that one goes no later
 * than need be, so that many receives are asked about it. */
void observe_reverse(struct observe *observe, struct sequence *sequence, const struct race *race,
                     uint32_t observer) {
    const struct history *history = observe->history;
    observe->last = (struct race){.first = race->first, .second = observer};
    sequence_begin(sequence);
    mark_observed(observe, race, observer);
    for (uint32_t i = race->first; i < history->count; i++)
        if (!observe->marked[i])
            sequence_add(sequence, i, observe->whole.elements[i].move);
        else if (i != observer)
            sequence_leave_out(sequence, i, observe->whole.elements[i].move);
    struct event event = predict(observe, race, observer);
    if (race->last.op.kind == OP_SEND)
        bring_forward(observe, sequence, place_of_step(sequence, race->second));
    sequence_close(sequence, &observe->last, &event);
    if (race->last.op.kind != OP_SEND)
        hold_back(observe, sequence);
}
