/* instead.c - see instead.h. */
#include "strategies/dpor/instead.h"

#include "event/dependence.h"

/* --- could it have come first? -------------------------------------------------------------- */

/* The task stood there already, and could have moved. */
static bool was_enabled(const struct history *history, uint32_t step, uint32_t task) {
    if (step < history->last[task])
        return false;
    const struct waiting *waiting = history_waiting(history, step, task);
    return waiting != NULL && waiting->enabled;
}

static bool stood_there(const struct history *history, uint32_t step, uint32_t task) {
    return step >= history->last[task] && history_waiting(history, step, task) != NULL;
}

/* The steps on an object from one on that are wanted, latest first. */
static void collect_trail(struct history *history, uint64_t object, uint32_t from,
                          bool (*wanted)(const struct history *history, uint32_t step,
                                         uint32_t without, uint32_t task),
                          uint32_t without, uint32_t task) {
    uint32_t at = history_last_touch(history, object);
    history->trail_count = history->trail_base = 0;
    history->origin = NO_STEP;
    for (; at != 0; at = history->touches[at - 1].previous) {
        uint32_t step = history->touches[at - 1].step;
        history->origin = step;
        history->trail_base = step < from ? at : 0;
        if (step < from)
            break;
        if (!wanted(history, step, without, task))
            continue;
        history->trail = pool_grow(history->pool, history->trail, &history->trail_capacity,
                                   (size_t)history->trail_count + 1, sizeof *history->trail);
        history->trail[history->trail_count++] = step;
    }
}

static struct lock_state replay_trail(const struct history *history, uint64_t object) {
    struct lock_state state = {0};
    if (history->trail_base != 0)
        state = history->after[history->trail_base - 1];
    else if (history->origin != NO_STEP)
        lock_state_begin(&state, &history->steps[history->origin].event);
    for (uint32_t i = history->trail_count; i-- > 0;)
        lock_state_apply(&state, &history->steps[history->trail[i]].event, object);
    return state;
}

static bool own_step(const struct history *history, uint32_t step, uint32_t without,
                     uint32_t task) {
    (void)without;
    return history->steps[step].event.task == task;
}

static bool not_after(const struct history *history, uint32_t step, uint32_t without,
                      uint32_t task) {
    (void)task;
    return !happens_before(history, without, step);
}

static bool earlier_or_cause(const struct history *history, uint32_t step, uint32_t without,
                             uint32_t task) {
    uint32_t own = history->last[task];
    return step < without || (own > 0 && happens_before(history, step, own - 1));
}

/* The state of an object without a step and all that happens after it, or all that came after it. What
 * came before the step is not touched by that. */
static struct lock_state state_without(struct history *history, uint32_t without, uint64_t object,
                                       bool alone, uint32_t task) {
    collect_trail(history, object, without, alone ? earlier_or_cause : not_after, without, task);
    return replay_trail(history, object);
}

/* The first step since the task's own last one on that object for which `fits`; NO_STEP if none. */
static uint32_t first_since(const struct history *history, uint64_t object, uint32_t task,
                            bool (*fits)(const struct event *event, const struct event *wanted),
                            const struct event *wanted) {
    uint32_t first = NO_STEP;
    for (uint32_t at = history_last_touch(history, object); at != 0;
         at = history->touches[at - 1].previous) {
        uint32_t step = history->touches[at - 1].step;
        if (step < history->last[task])
            break;
        if (fits(&history->steps[step].event, wanted))
            first = step;
    }
    return first;
}

static bool wakes(const struct event *event, const struct event *sleeper) {
    if (event->op.object != sleeper->op.object)
        return false;
    return event->op.kind == OP_COND_BROADCAST ||
           (event->op.kind == OP_COND_SIGNAL && event->result == (uint64_t)sleeper->task + 1);
}

static bool is_its_send(const struct event *event, const struct event *receive) {
    return event->op.kind == OP_SEND && event->result == receive->result;
}

/* The message that a receive took was there without that step. */
static bool sent_without(const struct history *history, uint32_t without,
                         const struct event *event) {
    for (uint32_t at = history_last_touch(history, event->op.object); at != 0;
         at = history->touches[at - 1].previous) {
        uint32_t step = history->touches[at - 1].step;
        if (is_its_send(&history->steps[step].event, event) &&
            !happens_before(history, without, step))
            return true;
    }
    return false;
}

/* A receive that goes by a predicate. Its own message was the first that fitted; if another one is in
 * the way of that, it took one that would have fitted, too, or not. Without a send there are only fewer;
 * but for how many there are, the order with that matters only if the receive takes what was sent. */
static enum answer receive_without(const struct history *history, uint32_t without,
                                   const struct event *event) {
    const struct event *first = &history->steps[without].event;
    bool happened = !(event->flags & EVENT_AHEAD), sent = first->op.kind == OP_SEND;
    if (happened && sent_without(history, without, event))
        return YES;
    if (sent && (happened || (first->op.size == 0 && !(first->flags & EVENT_FATAL))))
        return NO;
    if (stood_there(history, without, event->task))
        return was_enabled(history, without, event->task) ? YES : NO;
    return MAYBE;
}

/* A send that waits for room would have found some, or its receiver halted. */
static enum answer room_without(struct history *history, uint32_t without, bool alone,
                                const struct event *event) {
    struct lock_state state = state_without(history, without, event->op.object, alone, event->task);
    if (lock_state_allows(&state, &event->op))
        return YES;
    return event->op.size == UINT8_MAX ? MAYBE : NO;
}

static bool ended(const struct history *history, uint32_t task) {
    if (task >= history->width || history_waiting(history, history->state_count - 1, task) != NULL)
        return false;
    return history->born[task] > 0 || history_waiting(history, 0, task) != NULL;
}

static bool ended_without(const struct history *history, uint32_t without, uint32_t task) {
    uint32_t end = history->last[task];
    return end == 0 || !happens_before(history, without, end - 1);
}

/* The task could have moved at that step although what it waits for had not come: a cancellation is due, and stays
 * so. A task that holds the lock itself may take it again. */
static bool is_cancelled(struct history *history, uint32_t step, const struct event *event) {
    if (!was_enabled(history, step, event->task))
        return false;
    struct lock_state state = state_without(history, step, event->op.object, true, event->task);
    bool own = state.holds > 0 && state.owner == event->task;
    return history->origin != NO_STEP && !own && !lock_state_allows(&state, &event->op);
}

/* A sleeper that was woken needs the mutex; so does one that gave up by itself. One that was not woken can leave
 * its sleep where it was enabled: by time, for no reason, or by a cancellation. */
static bool wake_without(struct history *history, uint32_t without, const struct event *event) {
    static const struct op lock = {.kind = OP_LOCK};
    uint32_t own = history->last[event->task];
    bool gave_up = own > 0 && history->steps[own - 1].event.op.kind == OP_COND_SLEEP;
    uint32_t waker = first_since(history, event->op.object, event->task, wakes, event);
    if (!gave_up && (waker == NO_STEP || happens_before(history, without, waker)))
        return was_enabled(history, without, event->task);
    struct lock_state state =
        state_without(history, without, event->op.object2, false, event->task);
    return lock_state_allows(&state, &lock);
}

/* A parked task goes on after any change of what it watches: after this one, or after another one. */
static bool others_may_enable(const struct history *history, uint32_t without,
                              const struct event *event) {
    for (uint32_t i = without + 1; is_polling(&event->op) && i < history->count; i++)
        if (!happens_before(history, without, i) && i >= history->last[event->task] &&
            dependent_events(&history->steps[i].event, event))
            return true;
    return false;
}

/* It was found parked before, or is so now. */
static bool is_parked(const struct search *search) {
    const struct event *event = search->event;
    if (!is_polling(&event->op))
        return false;
    return search->second == NO_STEP ||
           history_waiting(search->history, search->second, event->task)->enabler != NO_STEP;
}

/* Could the task have made its step in place of step `first`, after all that does not happen after
 * that? */
enum answer could_come_first(const struct search *search, uint32_t first) {
    struct history *history = search->history;
    const struct event *event = search->event;
    switch ((enum op_kind)event->op.kind) {
    case OP_RECEIVE:
        if (search->by_predicate)
            return receive_without(history, first, event);
        /* fall through */
    case OP_LOCK:
    case OP_SPIN_LOCK:
    case OP_READ_LOCK:
    case OP_WRITE_LOCK:
    case OP_SEM_WAIT:
    case OP_HALT:
    case OP_ONCE_ENTER: {
        struct lock_state state =
            state_without(history, first, event->op.object, false, event->task);
        if (history->origin == NO_STEP)
            break; /* nobody has touched it, so it is as it was */
        return lock_state_allows(&state, &event->op) || is_cancelled(history, first, event) ? YES
                                                                                            : NO;
    }
    case OP_JOIN:
        if (event->op.timed)
            break;
        if (was_enabled(history, first, event->task))
            return YES; /* it is over, or a cancellation is due */
        return ended(history, event->op.target) && ended_without(history, first, event->op.target)
                   ? YES
                   : NO;
    case OP_COND_WAKE: return wake_without(history, first, event) ? YES : NO;
    case OP_ASSUME: return NO;
    case OP_SEND:
        if (!(event->op.order & MESSAGE_WAITS))
            break;
        return room_without(history, first, false, event);
    default: break;
    }
    if (was_enabled(history, first, event->task))
        return is_parked(search) && others_may_enable(history, first, event) ? NO : YES;
    uint32_t enabler = search->second == NO_STEP
                           ? NO_STEP
                           : history_waiting(history, search->second, event->task)->enabler;
    if (enabler != NO_STEP && !happens_before(history, first, enabler))
        return YES;
    if (enabler != NO_STEP)
        return others_may_enable(history, first, event) ? MAYBE : NO;
    return stood_there(history, first, event->task) ? NO : YES;
}

/* Several readers keep a writer out: without all of them it could have come before the first. So it is with
 * stores of the value for which a parked task does not wait, and with messages that fill a mailbox. */
bool could_come_alone(const struct search *search, uint32_t first) {
    struct history *history = search->history;
    const struct event *event = search->event;
    if (is_parked(search))
        return was_enabled(history, first, event->task);
    if (event->op.kind == OP_SEND && (event->op.order & MESSAGE_WAITS))
        return room_without(history, first, true, event) == YES;
    if (event->op.kind != OP_WRITE_LOCK)
        return false;
    struct lock_state state = state_without(history, first, event->op.object, true, event->task);
    return lock_state_allows(&state, &event->op);
}

bool history_in_the_way(const struct history *history, uint32_t step, const struct race *race) {
    uint32_t own = race->second == NO_STEP ? history->last[race->last.task] - 1
                                           : history->steps[race->second].previous;
    if (own != NO_STEP && happens_before(history, step, own))
        return false;
    return dependent_events(&history->steps[step].event, &race->last);
}

/* --- what would have come of it ------------------------------------------------------------- */

static bool only_fatal(const struct event *first, const struct event *last) {
    struct event a = *first, b = *last;
    a.flags &= ~(uint32_t)EVENT_FATAL;
    b.flags &= ~(uint32_t)EVENT_FATAL;
    return (last->flags & EVENT_FATAL) && !dependent_events(&a, &b);
}

/* The value that it would have found: what the first step found there, if that one wrote. */
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
    if (known && event->result != history_waiting(history, race->second, event->task)->op.value)
        event->flags = EVENT_FAILED;
    return known;
}

static void predict_unlock(struct history *history, const struct race *race, struct event *event) {
    struct lock_state state = {0};
    if (race->second == NO_STEP) {
        collect_trail(history, event->op.object, 0, own_step, NO_STEP, event->task);
        state = replay_trail(history, event->op.object);
        event->flags = state.holds || state.readers || state.written ? 0 : EVENT_FAILED;
    }
    event->flags &= EVENT_FAILED;
}

static bool received(const struct history *history, uint64_t number) {
    for (uint32_t i = 0; i < history->trail_count; i++) {
        const struct event *event = &history->steps[history->trail[i]].event;
        if (event->op.kind != OP_SEND && !(event->flags & EVENT_FAILED) && event->result == number)
            return true;
    }
    return false;
}

/* What a machine makes of its message is not known, unless it is the one that it took. */
static bool predict_reaction(const struct race *race, struct event *event) {
    if (!(event->op.order & MESSAGE_MACHINE))
        return true;
    return race->second != NO_STEP && event->result == race->last.result;
}

/* The oldest message that is there, if it takes any. */
static bool predict_receive(struct history *history, const struct race *race, struct event *event) {
    if (race->by_predicate)
        return false;
    collect_trail(history, event->op.object, 0, not_after, race->first, event->task);
    event->flags = EVENT_FAILED;
    for (uint32_t i = history->trail_count; i-- > 0;) {
        const struct event *sent = &history->steps[history->trail[i]].event;
        if (sent->op.kind != OP_SEND || (sent->flags & EVENT_FAILED) ||
            received(history, sent->result))
            continue;
        event->flags = 0;
        event->result = sent->result;
        return predict_reaction(race, event);
    }
    return true;
}

/* Whether it would have arrived: false if that is not known, or would be a finding. */
static bool predict_arrival(struct history *history, const struct race *race, struct event *event) {
    struct op *op = &event->op;
    struct lock_state state =
        state_without(history, race->first, op->object, race->alone, event->task);
    bool halted = state.halted;
    int64_t room = op->size;
    if (!(op->order & MESSAGE_BOUNDED) && state.sent < op->size)
        op->size = 0;
    bool full = op->size != 0 && state.value >= room;
    event->flags = full || halted || (op->order & MESSAGE_LOST) ? EVENT_FAILED : 0;
    event->result = event->flags ? 0 : state.sent + 1;
    bool ends = race->last.flags & EVENT_FATAL; /* so it will there */
    return halted || !full || (room < UINT8_MAX && (ends || (op->order & MESSAGE_DROPS)));
}

static bool predict_send(struct history *history, const struct race *race, struct event *event) {
    const struct event *first = &history->steps[race->first].event;
    if (race->second == NO_STEP)
        return false;
    event->op = race->last.op;
    bool known = true;
    if (event->op.order & MESSAGE_MACHINE) {
        known = predict_arrival(history, race, event);
    } else {
        event->flags = 0;
        event->result = first->op.kind == OP_SEND ? first->result : race->last.result;
    }
    if (history->observe != NULL) /* messages have names there, not numbers */
        event->result = race->last.result;
    return known;
}

/* A join that may give up: it would fail if its task had not ended. */
static void predict_join(const struct history *history, const struct race *race,
                         struct event *event) {
    uint32_t target = event->op.target;
    bool over = ended(history, target) && ended_without(history, race->first, target);
    event->flags = over ? 0 : EVENT_FAILED;
}

static bool predict(struct history *history, const struct race *race, struct event *event) {
    switch ((enum op_kind)event->op.kind) {
    case OP_STORE:
    case OP_KILL:
    case OP_END: event->flags = 0; return true;
    case OP_TRYJOIN: predict_join(history, race, event); return true;
    case OP_JOIN:
        if (!event->op.timed)
            return false;
        predict_join(history, race, event);
        return true;
    case OP_LOAD:
    case OP_RMW:
    case OP_CAS: return predict_access(history, race, event);
    case OP_UNLOCK: /* whether it holds the lock is known to itself alone */
    case OP_ABANDON:
    case OP_SPIN_UNLOCK:
    case OP_RW_UNLOCK: predict_unlock(history, race, event); return true;
    case OP_RECEIVE:
    case OP_TRY_RECEIVE: return predict_receive(history, race, event);
    case OP_SEND: return predict_send(history, race, event);
    default: {
        struct lock_state state =
            state_without(history, race->first, event->op.object, race->alone, event->task);
        return lock_state_predict(&state, event);
    }
    }
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
        event.op = waiting->op; /* a signal may have turned a sleep into a wake-up since */
    if (!predict(history, race, &event))
        event.flags = EVENT_AHEAD;
    else if (same_outcome(&event, &race->last)) /* so it ends the execution there, too */
        event.flags |= race->last.flags & EVENT_FATAL;
    return event;
}
