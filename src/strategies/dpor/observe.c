/* observe.c - see observe.h. Each question is about a sequence of elements: a whole execution, or
 * what is planned together with the steps that lead to it. An answer costs a walk along the
 * sequence. */
#include "strategies/dpor/observe.h"

#include "event/dependence.h"
#include "strategies/dpor/sees.h"

enum { MATCH_BITS = 32 };

/* the name of a message that was sent within an atomic section */
#define UNNAMED ((uint64_t)1 << 63)

struct place {
    uint64_t key;  /* address / 8 */
    bool accessed; /* accessed without an operation, in any execution so far */
};

enum answer { NO, YES, MAYBE };

static const struct observe *observe_of(const struct sequence *sequence) {
    return sequence->history->observe;
}

/* --- places --------------------------------------------------------------------------------- */

/* Returns NULL if no operation has ever stored there. */
static struct place *place_of(const struct observe *observe, uint64_t key) {
    const struct hash_slot *slot = hash_table_find(&observe->place_numbers, key);
    return slot != NULL ? &observe->places[slot->value] : NULL;
}

static void add_place(struct observe *observe, uint64_t key) {
    if (place_of(observe, key) != NULL)
        return;
    observe->places = pool_grow(observe->pool, observe->places, &observe->place_capacity,
                                (size_t)observe->place_count + 1, sizeof *observe->places);
    hash_table_add(&observe->place_numbers, key, observe->place_count);
    observe->places[observe->place_count++] = (struct place){.key = key};
}

static void access_many(struct observe *observe, uint64_t address, uint64_t size) {
    for (uint32_t i = 0; i < observe->place_count; i++)
        if (observe->places[i].key >= address / 8 && observe->places[i].key * 8 < address + size)
            observe->places[i].accessed = true;
}

void observe_access(struct observe *observe, uint64_t address, uint32_t size) {
    if (size / 8 > observe->place_count) {
        access_many(observe, address, size);
        return;
    }
    for (uint64_t key = address / 8; key * 8 < address + size; key++) {
        struct place *place = place_of(observe, key);
        if (place != NULL)
            place->accessed = true;
    }
}

static bool accessed_plainly(const struct observe *observe, const struct op *op) {
    for (uint64_t key = op->object / 8; key * 8 < op->object + op->size; key++) {
        const struct place *place = place_of(observe, key);
        if (place != NULL && place->accessed)
            return true;
    }
    return false;
}

/* --- which pairs are in question ------------------------------------------------------------ */

static bool is_pair(const struct observe *observe, const struct event *a, const struct event *b) {
    if (observe->parked || observe->history->untold || ((a->flags | b->flags) & EVENT_FATAL))
        return false;
    if (a->op.kind == OP_SEND && ((a->flags | b->flags) & EVENT_FAILED))
        return false;
    if (a->op.kind == OP_SEND)
        return b->op.kind == OP_SEND && a->op.object == b->op.object && !observe->sectioned &&
               (a->op.monitors == 0 || b->op.monitors == 0) && a->op.room == 0 && b->op.room == 0;
    return same_bytes(a, b) && !accessed_plainly(observe, &a->op);
}

static bool receives_from(const struct event *event, const struct event *send) {
    return op_receives(event->op.kind) && event->op.object == send->op.object &&
           !(event->flags & EVENT_FAILED);
}

/* --- stores --------------------------------------------------------------------------------- */

/* Returns the first element that sees this store; NO_STEP if none does. */
static uint32_t viewer(const struct sequence *sequence, uint32_t store) {
    const struct event *stored = sequence_event(sequence, store);
    for (uint32_t i = store + 1; i < sequence->count; i++) {
        const struct event *event = sequence_event(sequence, i);
        if (!sequence_has(sequence, i))
            continue;
        if (sees(event, stored))
            return i;
        if (same_bytes(event, stored))
            return NO_STEP;
    }
    return NO_STEP;
}

/* --- messages ------------------------------------------------------------------------------- */

/* Returns the receive that took the message of this send, or the send of this receive's message. */
static uint32_t partner_of(const struct observe *observe, uint32_t step) {
    const struct history *history = observe->history;
    uint32_t partner = observe->messages[step].partner;
    /* the history is being made anew, and may not have this step */
    if (partner >= observe->whole.count ||
        history->steps[partner].event.op.object != history->steps[step].event.op.object ||
        history->steps[partner].event.number != history->steps[step].event.number)
        return NO_STEP;
    return partner;
}

static bool waits_in_box(const struct observe *observe, uint32_t send, uint32_t receive) {
    uint32_t partner = partner_of(observe, send);
    return partner == NO_STEP || partner > receive;
}

/* Answers for a receive by a predicate, which was asked about each message behind its own. */
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
    return event->op.also_fits >> place & 1 ? YES : NO;
}

/* Would this receive, as it happened, have taken the message of that send? */
static enum answer takes(const struct observe *observe, uint32_t receive, uint32_t send) {
    const struct history *history = observe->history;
    if (receive == NO_STEP || send == NO_STEP)
        return MAYBE;
    uint32_t own = partner_of(observe, receive);
    if (history_op_at(history, receive, history->steps[receive].event.task)->by_predicate == 0 ||
        send == own)
        return YES;
    if (own == NO_STEP || send > receive || !waits_in_box(observe, send, receive))
        return MAYBE;
    return send < own ? NO : asked(observe, receive, own, send);
}

bool observe_surely_takes(const struct observe *observe, uint32_t receive, uint32_t send) {
    return takes(observe, receive, send) == YES;
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
        if (event->number == a->number && !gone &&
            takes(observe_of(sequence), step_of(sequence, i), sequence->elements[second].step) !=
                NO)
            return i;
        gone = gone || event->number == b->number;
    }
    return NO_STEP;
}

static bool is_received(const struct sequence *sequence, uint32_t send) {
    const struct event *sent = sequence_event(sequence, send);
    for (uint32_t i = send + 1; i < sequence->count; i++) {
        const struct event *event = sequence_event(sequence, i);
        if (sequence_has(sequence, i) && receives_from(event, sent) &&
            event->number == sent->number)
            return true;
    }
    return false;
}

/* --- order ---------------------------------------------------------------------------------- */

/* Returns the observer of a pair of stores or sends. */
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

/* A store in front matters to elements that look; a message in front matters to a receive that
 * takes a later one. */
static bool meets(const struct sequence *sequence, const struct move *move, uint32_t at) {
    const struct event *event = sequence_event(sequence, at);
    if (is_pair(observe_of(sequence), move_event(move), event))
        return event->op.kind == OP_SEND && is_received(sequence, at);
    return dependent_events(move_event(move), event);
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
    hash_table_init(&observe->place_numbers, pool);
    history->observe = observe;
    history->depends = depends;
    history->late = true;
}

/* Does it see more of the messages in a mailbox than a receive does? What an operation whose act is
 * NONE does to a mailbox is not known. */
static bool sees_messages(enum op_kind kind) {
    const struct op_info *info = op_info(kind);
    return kind == OP_ATOMIC || (info->about == ABOUT_MAILBOX && info->act == ACT_NONE);
}

void observe_begin(struct observe *observe) {
    observe->parked = observe->sectioned = false;
    for (uint32_t i = 0; i < observe->history->count; i++)
        observe->sectioned |= sees_messages(observe->history->steps[i].event.op.kind);
}

void observe_end(struct observe *observe, const struct choice *last) {
    const struct history *history = observe->history;
    for (uint32_t i = 0; i < history->waitings.count; i++) {
        const struct waiting *waiting = &history->waitings.entries[i];
        if (!waiting->gone && !waiting->enabled &&
            !op_wait_is_known(history_op(history, waiting)->kind))
            observe->parked = true;
    }
    for (uint32_t i = last != NULL ? last->count : 0; last != NULL && i < last->live; i++)
        if (!op_wait_is_known(last->pending[i].op->kind))
            observe->parked = true;
    bool told = !history->untold;
    history_reorder(observe->history);
    if (told && history->untold) /* from now on no pair is in question */
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
            observe->messages[i].number == receive->number)
            return i;
    return NO_STEP;
}

static void name_received(struct observe *observe, uint32_t step, struct event *event) {
    uint32_t send = find_send(observe, event);
    observe->messages[step].partner = send;
    event->number =
        send == NO_STEP ? UNNAMED | event->number : observe->history->steps[send].event.number;
    if (send != NO_STEP)
        observe->messages[send].partner = step;
}

void observe_step(struct observe *observe, struct event *event) {
    const struct history *history = observe->history;
    uint32_t step = history->count, last = history->last[event->task];
    observe->messages = pool_grow(observe->pool, observe->messages, &observe->message_capacity,
                                  (size_t)step + 1, sizeof *observe->messages);
    observe->sectioned |= sees_messages(event->op.kind);
    observe->messages[step] = (struct message){
        event->number, last ? observe->messages[last - 1].ordinal + 1 : 0, NO_STEP};
    if (event->op.kind == OP_SEND)
        event->number = name_of(observe, step, event->task);
    else if (op_receives(event->op.kind) && !(event->flags & EVENT_FAILED))
        name_received(observe, step, event);
    for (uint64_t key = event->op.object / 8;
         only_stores(event->op.kind) && key * 8 < event->op.object + event->op.size; key++)
        add_place(observe, key);
}
