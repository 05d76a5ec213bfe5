/* instead.c - see instead.h. */
#include "strategies/dpor/instead.h"

#include "engine/looks.h"
#include "event/dependence.h"
#include "strategies/dpor/races.h"
#include "strategies/dpor/without.h"

/* Returns true if the task stood at its operation before that step already, and was enabled. */
static bool was_enabled(const struct history *history, uint32_t step, uint32_t task) {
    if (step < history->last[task])
        return false;
    const struct waiting *waiting = history_waiting(history, step, task);
    return waiting != NULL && waiting->enabled;
}

static bool stood_there(const struct history *history, uint32_t step, uint32_t task) {
    return step >= history->last[task] && history_waiting(history, step, task) != NULL;
}

/* Returns the first step on that object, since the last step of the task, for which `fits` is true;
 * NO_STEP if there is none. */
static uint32_t first_since(const struct history *history, uint64_t object, uint32_t task,
                            bool (*fits)(const struct event *event, const struct event *wanted),
                            const struct event *wanted) {
    uint32_t first = NO_STEP;
    for (uint32_t at = history_last_touch(history, object | TOUCH_OBJECT); at != 0;
         at = history->touches[at - 1].previous) {
        uint32_t step = history->touches[at - 1].step;
        if (step < history->last[task])
            break;
        if (fits(&history->steps[step].event, wanted))
            first = step;
    }
    return first;
}

/* --- operations that do not tell what they wait for
 * ------------------------------------------------ */

/* Is there a later step that does not happen after that one, and may have changed whether the task
 * could move? */
static bool others_may_change(const struct history *history, uint32_t without,
                              const struct event *event) {
    for (uint32_t i = without + 1; i < history->count; i++) {
        const struct event *other = &history->steps[i].event;
        if (!happens_before(history, without, i) && !only_reads(other) &&
            dependent_events(other, event))
            return true;
    }
    return false;
}

/* The wait is AWAIT_ANY, or an operation that is not followed has used the object. Then every step
 * that depends on the operation may change whether the task can move, in both directions and any
 * number of times. So the state of an object says nothing, and neither does a state of the
 * execution in which other such steps had happened. The answer is known only if the task stood
 * there at that step, and no other such step comes along: it is what was seen there. In all other
 * cases everybody must be tried at that step (plan.c). */
static enum answer untold_first(struct history *history, uint32_t first,
                                const struct event *event) {
    history->untold = true;
    if (!stood_there(history, first, event->task) || others_may_change(history, first, event))
        return UNTOLD;
    return was_enabled(history, first, event->task) ? YES : NO;
}

/* --- the others
 * --------------------------------------------------------------------------------- */

static bool wakes(const struct event *event, const struct event *sleeper) {
    if (event->op.object != sleeper->op.object)
        return false;
    return event->op.kind == OP_COND_BROADCAST ||
           (event->op.kind == OP_COND_SIGNAL && event->woken == (uint64_t)sleeper->task + 1);
}

static bool is_its_send(const struct event *event, const struct event *receive) {
    return event->op.kind == OP_SEND && event->number == receive->number;
}

/* Returns true if the message that a receive took would have been sent without that step. */
static bool sent_without(const struct history *history, uint32_t without,
                         const struct event *event) {
    for (uint32_t at = history_last_touch(history, event->op.object | TOUCH_OBJECT); at != 0;
         at = history->touches[at - 1].previous) {
        uint32_t step = history->touches[at - 1].step;
        if (is_its_send(&history->steps[step].event, event) &&
            !happens_before(history, without, step))
            return true;
    }
    return false;
}

/* Answers for a receive by a predicate, which has taken the first message that fitted. A receive
 * that came in between took another message, which may or may not have fitted, too. Without a send
 * there are only fewer messages; unless their number matters, the order with this send matters only
 * if the receive takes the message of that send. */
static enum answer receive_without(const struct history *history, uint32_t without,
                                   const struct event *event) {
    const struct event *first = &history->steps[without].event;
    bool happened = !(event->flags & EVENT_AHEAD), sent = first->op.kind == OP_SEND;
    if (happened && sent_without(history, without, event))
        return YES;
    if (sent && (happened || (first->op.room == 0 && !(first->flags & EVENT_FATAL))))
        return NO;
    if (stood_there(history, without, event->task))
        return was_enabled(history, without, event->task) ? YES : NO;
    return MAYBE;
}

/* Answers for a send that waits for room: it would have found room, or its receiver would have
 * halted. */
static enum answer room_without(struct history *history, uint32_t without, bool alone,
                                const struct event *event) {
    struct lock_state state = state_without(history, without, event->op.object, alone, event->task);
    if (!lock_state_decides(&state, &event->op))
        return alone ? NO : untold_first(history, without, event);
    if (lock_state_allows(&state, &event->op))
        return YES;
    return event->op.room == UINT8_MAX ? MAYBE : NO;
}

/* Returns true if a cancellation of the task was due at that step, and still is: the task could
 * have moved although what it waits for had not come. A task that holds the lock itself may take it
 * again, so it does not count. */
static bool is_cancelled(struct history *history, uint32_t step, const struct event *event) {
    if (!was_enabled(history, step, event->task))
        return false;
    struct lock_state state = state_without(history, step, event->op.object, true, event->task);
    bool own = state.holds > 0 && state.owner == event->task;
    return history->origin != NO_STEP && !own && !lock_state_allows(&state, &event->op);
}

/* Answers for the end of a sleep on a condition variable. A task that was woken needs the mutex,
 * and so does one that gave up by itself. A task that was not woken can leave its sleep where it
 * was enabled: by a time-out, for no reason, or by a cancellation. */
static enum answer wake_without(struct history *history, uint32_t without,
                                const struct event *event) {
    static const struct op lock = {.kind = OP_LOCK};
    uint32_t own = history->last[event->task];
    bool gave_up = own > 0 && history->steps[own - 1].event.op.kind == OP_COND_SLEEP;
    uint32_t waker = first_since(history, event->op.object, event->task, wakes, event);
    if (!gave_up && (waker == NO_STEP || happens_before(history, without, waker)))
        return was_enabled(history, without, event->task) ? YES : NO;
    struct lock_state state = state_without(history, without, event->op.mutex, false, event->task);
    if (!lock_state_decides(&state, &lock))
        return untold_first(history, without, event);
    return lock_state_allows(&state, &lock) ? YES : NO;
}

/* Returns true if a parked task might go on after another change than that of step `without`: it
 * does so after any change of what it watches. */
static bool others_may_enable(const struct history *history, uint32_t without,
                              const struct event *event) {
    for (uint32_t i = without + 1; is_polling(&event->op) && i < history->count; i++)
        if (!happens_before(history, without, i) && i >= history->last[event->task] &&
            dependent_events(&history->steps[i].event, event))
            return true;
    return false;
}

/* --- looks of waiting loops ------------------------------------------------------------------- */

uint32_t look_of(const struct search *search) {
    const struct history *history = search->history;
    if (history->looks == NULL || history->looks->count == 0)
        return 0;
    uint32_t state = search->second != NO_STEP ? search->second : history->state_count - 1;
    const struct waiting *waiting = history_waiting(history, state, search->event->task);
    return waiting != NULL ? waiting->look : 0;
}

static bool is_like(const struct event *access, const struct event *look) {
    return is_atomic_access(access) && access->op.object == look->op.object &&
           access->op.size == look->op.size;
}

/* Finds the value that the look would read without that step: what was there before the step, or
 * what a later store wrote that does not depend on it, since it stores the same value. */
static bool value_without(const struct history *history, uint32_t without, const struct event *look,
                          uint64_t *value) {
    *value = history->steps[without].event.result;
    if (!is_like(&history->steps[without].event, look))
        return false;
    for (uint32_t i = without + 1; i < history->count; i++) {
        const struct event *event = &history->steps[i].event;
        if (happens_before(history, without, i) || only_reads(event) ||
            !dependent_events(event, look))
            continue;
        if (!is_like(event, look) || event->op.kind != OP_STORE)
            return false;
        *value = event->op.value;
    }
    return true;
}

static enum answer look_without(const struct search *search, uint32_t without) {
    struct history *history = search->history;
    const struct event *event = search->event;
    uint64_t value;
    if (!value_without(history, without, event, &value))
        return untold_first(history, without, event);
    enum look_answer answer = looks_answer(history->looks, look_of(search), value);
    if (answer == LOOK_DEPENDS)
        return untold_first(history, without, event);
    return look_waits(answer) ? NO : YES;
}

/* Returns true if the task was found parked before, or is parked now. */
static bool is_parked(const struct search *search) {
    const struct event *event = search->event;
    if (!is_polling(&event->op) || look_of(search) != 0)
        return false;
    return search->second == NO_STEP ||
           history_waiting(search->history, search->second, event->task)->enabler != NO_STEP;
}

/* --- all of them ----------------------------------------------------------------------------- */

enum answer could_come_first(const struct search *search, uint32_t first) {
    struct history *history = search->history;
    const struct event *event = search->event;
    if (look_of(search) != 0)
        return look_without(search, first);
    switch (op_info(event->op.kind)->wait) {
    case AWAIT_STATE: {
        struct lock_state state =
            state_without(history, first, event->op.object, false, event->task);
        bool untouched = history->origin == NO_STEP;
        if (!untouched && !lock_state_decides(&state, &event->op))
            return untold_first(history, first, event);
        if (search->by_predicate && op_receives(event->op.kind))
            return receive_without(history, first, event);
        if (untouched)
            break; /* no step has touched the object, so it has never changed */
        return lock_state_allows(&state, &event->op) || is_cancelled(history, first, event) ? YES
                                                                                            : NO;
    }
    case AWAIT_TASK:
        if (event->op.timed)
            break;
        if (was_enabled(history, first, event->task))
            return YES; /* the task has ended, or a cancellation is due */
        return ended_without(history, first, event->op.target) ? YES : NO;
    case AWAIT_WAKE: return wake_without(history, first, event);
    case AWAIT_EVER: return NO;
    case AWAIT_ROOM:
        if (!(event->op.message_flags & MESSAGE_WAITS))
            break;
        return room_without(history, first, false, event);
    case AWAIT_ANY:
        if (op_has(event->op.kind, SLEEPS))
            break; /* once it is awake, it stays so */
        return untold_first(history, first, event);
    case AWAIT_NONE:
    case AWAIT_ROUND: break;
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

/* Several readers keep a writer out: without all of them it could have come before the first. The
 * same holds for stores of a value that a parked task does not wait for, and for messages that fill
 * a mailbox. */
bool could_come_alone(const struct search *search, uint32_t first) {
    struct history *history = search->history;
    const struct event *event = search->event;
    if (is_parked(search))
        return was_enabled(history, first, event->task);
    if (event->op.kind == OP_SEND && (event->op.message_flags & MESSAGE_WAITS))
        return room_without(history, first, true, event) == YES;
    const struct op_info *info = op_info(event->op.kind);
    if (info->act != ACT_TAKE_ALONE || info->wait != AWAIT_STATE)
        return false;
    struct lock_state state = state_without(history, first, event->op.object, true, event->task);
    return lock_state_decides(&state, &event->op) && lock_state_allows(&state, &event->op);
}

bool history_in_the_way(const struct history *history, uint32_t step, const struct race *race) {
    uint32_t own = race->second == NO_STEP ? history->last[race->last.task] - 1
                                           : history->steps[race->second].previous;
    if (own != NO_STEP && happens_before(history, step, own))
        return false;
    return dependent_events(&history->steps[step].event, &race->last);
}
