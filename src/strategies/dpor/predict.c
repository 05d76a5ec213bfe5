/* predict.c - see predict.h. */
#include "strategies/dpor/predict.h"

#include "event/dependence.h"
#include "strategies/dpor/without.h"

static bool only_fatal(const struct event *first, const struct event *last) {
    struct event a = *first, b = *last;
    a.flags &= ~(uint32_t)EVENT_FATAL;
    b.flags &= ~(uint32_t)EVENT_FATAL;
    return (last->flags & EVENT_FATAL) && !dependent_events(&a, &b);
}

/* Finds the value that the access would have found: if the first step wrote, the value that this
 * step found there. */
static bool predict_value(const struct history *history, const struct race *race, uint64_t *value) {
    const struct event *first = &history->steps[race->first].event;
    const struct op *op = &race->last.op;
    if (race->second == NO_STEP || op->object != first->op.object || op->size != first->op.size ||
        op->size > sizeof *value)
        return false;
    bool stores =
        first->op.kind == OP_STORE || first->op.kind == OP_RMW || first->op.kind == OP_CAS;
    bool writes = stores && !(first->flags & EVENT_FAILED);
    if (!stores && op_info(first->op.kind)->effect == EFFECT_WRITE)
        return false;
    *value = writes ? first->result : race->last.result;
    return true;
}

static bool predict_access(const struct history *history, const struct race *race,
                           struct event *event) {
    bool known = predict_value(history, race, &event->result);
    event->flags = 0;
    if (event->op.kind != OP_CAS)
        return true;
    if (known && event->result != history_op_at(history, race->second, event->task)->expected)
        event->flags = EVENT_FAILED;
    return known;
}

/* Has an operation changed the object that is not followed? Then nobody knows its state. */
static bool is_unknown(struct history *history, const struct race *race) {
    return state_without(history, race->first, race->last.op.object, race->alone, race->last.task)
        .unknown;
}

/* The first of the race may itself be an operation that is not followed. Then the unlock may come
 * out in another way. */
static bool predict_unlock(struct history *history, const struct race *race, struct event *event) {
    const struct event *first = &history->steps[race->first].event;
    struct lock_state state = {0};
    if (op_info(first->op.kind)->act == ACT_NONE || is_unknown(history, race))
        return false;
    if (race->second == NO_STEP) {
        state = state_of_own(history, event->op.object, event->task);
        event->flags = state.holds || state.readers || state.written ? 0 : EVENT_FAILED;
    }
    event->flags &= EVENT_FAILED;
    return true;
}

static bool received(const struct history *history, uint64_t number) {
    for (uint32_t i = 0; i < history->trail_count; i++) {
        const struct event *event = &history->steps[history->trail[i]].event;
        if (event->op.kind != OP_SEND && !(event->flags & EVENT_FAILED) && event->number == number)
            return true;
    }
    return false;
}

/* Returns false if a machine would react to another message than it did: the reaction is not known
 * then. */
static bool predict_reaction(const struct race *race, struct event *event) {
    if (!(event->op.message_flags & MESSAGE_MACHINE))
        return true;
    return race->second != NO_STEP && event->number == race->last.number;
}

/* Predicts a receive, which takes the oldest message that is there, if there is one. */
static bool predict_receive(struct history *history, const struct race *race, struct event *event) {
    if (race->by_predicate || is_unknown(history, race))
        return false;
    collect_without(history, race->first, event->op.object);
    event->flags = EVENT_FAILED;
    for (uint32_t i = history->trail_count; i-- > 0;) {
        const struct event *sent = &history->steps[history->trail[i]].event;
        if (sent->op.kind != OP_SEND || (sent->flags & EVENT_FAILED) ||
            received(history, sent->number))
            continue;
        event->flags = 0;
        event->number = sent->number;
        return predict_reaction(race, event);
    }
    return true;
}

/* Predicts whether a message would have arrived. Returns false if that is not known, or would be a
 * finding. */
static bool predict_arrival(struct history *history, const struct race *race, struct event *event) {
    struct op *op = &event->op;
    struct lock_state state =
        state_without(history, race->first, op->object, race->alone, event->task);
    bool halted = state.halted;
    int64_t room = op->room;
    if (!(op->message_flags & MESSAGE_BOUNDED) && state.sent < op->room)
        op->room = 0;
    bool full = op->room != 0 && state.value >= room;
    event->flags = full || halted || (op->message_flags & MESSAGE_LOST) ? EVENT_FAILED : 0;
    event->number = event->flags ? 0 : state.sent + 1;
    bool ends = race->last.flags & EVENT_FATAL; /* the step would end the execution there as well */
    if (state.unknown)
        return false;
    return halted || !full || (room < UINT8_MAX && (ends || (op->message_flags & MESSAGE_DROPS)));
}

static bool predict_send(struct history *history, const struct race *race, struct event *event) {
    const struct event *first = &history->steps[race->first].event;
    if (race->second == NO_STEP)
        return false;
    event->op = race->last.op;
    bool known = true;
    if (event->op.message_flags & MESSAGE_MACHINE) {
        known = predict_arrival(history, race, event);
    } else {
        event->flags = 0;
        event->number = first->op.kind == OP_SEND ? first->number : race->last.number;
    }
    if (history->observe != NULL) /* observers uses names of messages instead of numbers */
        event->number = race->last.number;
    return known;
}

/* Predicts a join that may give up: it fails if its task has not ended. */
static void predict_join(const struct history *history, const struct race *race,
                         struct event *event) {
    bool over = ended_without(history, race->first, event->op.target);
    event->flags = over ? 0 : EVENT_FAILED;
}

static bool predict_by_state(struct history *history, const struct race *race,
                             struct event *event) {
    struct lock_state state =
        state_without(history, race->first, event->op.object, race->alone, event->task);
    return lock_state_predict(&state, event);
}

/* Whatever comes of the section, its footprint is the same (sections.h). */
static bool predict_section(const struct race *race, struct event *event) {
    event->flags = 0;
    return race->second != NO_STEP && has_footprint(event) && !(race->last.flags & EVENT_FATAL);
}

/* Returns true for operations that have only one outcome. */
static bool cannot_fail(enum op_kind kind) {
    return kind == OP_STORE || kind == OP_KILL || kind == OP_END;
}

static bool predict(struct history *history, const struct race *race, struct event *event) {
    if (cannot_fail(event->op.kind)) {
        event->flags = 0;
        return true;
    }
    switch (op_info(event->op.kind)->act) {
    case ACT_READ:
    case ACT_WRITE:
    case ACT_MODIFY:
    case ACT_EXCHANGE: return is_atomic_access(event) && predict_access(history, race, event);
    case ACT_JOIN:
        if (op_blocks(event->op.kind) && !event->op.timed)
            return false;
        predict_join(history, race, event);
        return true;
    case ACT_GIVE_BACK: /* only the task itself decides whether it holds the lock */
    case ACT_ABANDON:
    case ACT_GIVE_EITHER: return predict_unlock(history, race, event);
    case ACT_RECEIVE: return predict_receive(history, race, event);
    case ACT_SEND: return predict_send(history, race, event);
    case ACT_SECTION: return predict_section(race, event);
    case ACT_NONE:
    case ACT_FENCE:
    case ACT_INIT:
    case ACT_INIT_COUNT:
    case ACT_TAKE:
    case ACT_TAKE_SHARED:
    case ACT_TAKE_ALONE:
    case ACT_FALL_ASLEEP:
    case ACT_WAKE_UP:
    case ACT_ARRIVE:
    case ACT_LEAVE:
    case ACT_COUNT_DOWN:
    case ACT_COUNT_UP:
    case ACT_COUNT:
    case ACT_ENTER:
    case ACT_FINISH:
    case ACT_CREATE:
    case ACT_END:
    case ACT_HALT:
    case ACT_ANNOTATE: break;
    }
    return predict_by_state(history, race, event);
}

static bool same_outcome(const struct event *predicted, const struct event *before) {
    uint32_t failed = EVENT_FAILED | EVENT_TIMED_OUT;
    bool same = !(predicted->flags & failed) == !(before->flags & failed);
    if (op_info(predicted->op.kind)->class == CLASS_MEMORY && predicted->op.kind != OP_STORE)
        same = same && predicted->result == before->result;
    return same;
}

struct event history_predict(struct history *history, const struct race *race) {
    struct event event = race->last;
    const struct waiting *waiting = history_waiting(history, race->first, event.task);
    uint32_t last = race->second == NO_STEP ? history->last[event.task]
                                            : history->steps[race->second].previous + 1;
    if (only_fatal(&history->steps[race->first].event, &event))
        return event;
    event.flags &= ~(uint32_t)EVENT_FATAL;
    if (waiting != NULL && race->first >= last)
        event.op = *history_op(history,
                               waiting); /* a signal may have turned a sleep into a wake-up since */
    if (!predict(history, race, &event))
        event.flags = EVENT_AHEAD;
    else if (same_outcome(&event, &race->last)) /* the step ends the execution there, too */
        event.flags |= race->last.flags & EVENT_FATAL;
    return event;
}
