/* history.c - see history.h.
 *
 * Steps that may be dependent are found by what they touch: each step leaves a touch under each of its
 * keys (8 bytes of memory, an object, a task), chained to the one before. A step that depends on
 * everything has a key of its own, which everybody looks at. A touch is *closed* if all touches before
 * it in its chain happen before it: nobody who comes after it need look further. */
#include "strategies/dpor/history.h"

#include <string.h>

#include "base/check.h"
#include "event/dependence.h"
#include "event/lock_state.h"

enum { FIRST_SLOTS = 64, KEYS_MAX = 40, CLOSED = 1u << 31 };

#define KEY_ALL UINT64_MAX
#define KEY_OBJECT ((uint64_t)1 << 63)
#define KEY_TASK ((uint64_t)1 << 62)

/* Touches by key: open addressing, nothing is ever taken out. */
struct slot {
    uint64_t key;
    uint32_t touch; /* number + 1 of the last one, 0: none */
    bool used;
};

/* --- keys ----------------------------------------------------------------------------------- */

struct keys {
    uint64_t keys[KEYS_MAX];
    uint32_t count;
};

static bool touches_all(const struct event *event) {
    const struct op_info *info = op_info(event->op.kind);
    return (event->flags & EVENT_FATAL) || (event->op.kind == OP_JOIN && event->op.timed) ||
           (info->class == CLASS_ALL && info->effect == EFFECT_WRITE);
}

static void keys_of(const struct event *event, struct keys *keys) {
    const struct op *op = &event->op;
    keys->count = 0;
    if (touches_all(event)) {
        keys->keys[keys->count++] = KEY_ALL;
        return;
    }
    switch (op_info(op->kind)->class) {
    case CLASS_MEMORY:
        for (uint64_t at = op->object / 8; at * 8 < op->object + op->size; at++)
            keys->keys[keys->count++] = at;
        break;
    case CLASS_OBJECT:
        keys->keys[keys->count++] = op->object | KEY_OBJECT;
        if (op->object2 != 0 && op->object2 != op->object)
            keys->keys[keys->count++] = op->object2 | KEY_OBJECT;
        break;
    case CLASS_TASK:
        if (op->target != NO_TASK)
            keys->keys[keys->count++] = op->target | KEY_TASK;
        break;
    case CLASS_NONE:
    case CLASS_ALL: break;
    }
    CHECK(keys->count < KEYS_MAX);
}

static bool is_object_key(uint64_t key) {
    return key != KEY_ALL && (key & KEY_OBJECT);
}

static struct slot *slot_of(const struct history *history, uint64_t key) {
    uint32_t mask = history->slot_capacity - 1;
    uint32_t at = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 40) & mask;
    while (history->slots[at].used && history->slots[at].key != key)
        at = (at + 1) & mask;
    return &history->slots[at];
}

static void grow_slots(struct history *history) {
    struct slot *old = history->slots;
    uint32_t count = history->slot_capacity;
    history->slot_capacity = count ? 2 * count : FIRST_SLOTS;
    history->slots = pool_alloc(history->pool, history->slot_capacity * sizeof *history->slots);
    for (uint32_t i = 0; i < count; i++)
        if (old[i].used)
            *slot_of(history, old[i].key) = old[i];
    pool_free(history->pool, old, count * sizeof *old);
}

static struct slot *slot_for(struct history *history, uint64_t key) {
    struct slot *slot = slot_of(history, key);
    if (slot->used)
        return slot;
    if (++history->slot_used * 2 > history->slot_capacity) {
        grow_slots(history);
        slot = slot_of(history, key);
    }
    *slot = (struct slot){key, 0, true};
    return slot;
}

/* Where the number + 1 of the last touch of that key stands, 0 for none. */
static uint32_t *chain_end(struct history *history, uint64_t key) {
    return key == KEY_ALL ? &history->last_of_all : &slot_for(history, key)->touch;
}

static uint32_t last_touch(const struct history *history, uint64_t key) {
    if (key == KEY_ALL)
        return history->last_of_all;
    const struct slot *slot = slot_of(history, key);
    return slot->used ? slot->touch : 0;
}

static bool is_closed(const struct touch *touch) {
    return touch->previous & CLOSED;
}

static uint32_t before(const struct touch *touch) {
    return touch->previous & ~CLOSED;
}

/* --- room ----------------------------------------------------------------------------------- */

void history_init(struct history *history, struct pool *pool) {
    *history = (struct history){.pool = pool};
    waitings_init(&history->waitings, pool);
    grow_slots(history);
}

static uint32_t *clock_of(const struct history *history, uint32_t step) {
    return history->clocks + (size_t)step * history->width;
}

static void widen(struct history *history, uint32_t width) {
    uint32_t capacity = 0, old_capacity = history->clock_capacity;
    uint32_t *clocks =
        pool_grow(history->pool, NULL, &capacity, (size_t)(history->count + 1) * width, 4);
    for (uint32_t i = 0; i < history->count; i++) {
        memset(clocks + (size_t)i * width, 0, width * sizeof *clocks);
        memcpy(clocks + (size_t)i * width, clock_of(history, i), history->width * sizeof *clocks);
    }
    pool_free(history->pool, history->clocks, (size_t)old_capacity * 4);
    history->clocks = clocks;
    history->clock_capacity = capacity;
    history->width = width;
}

static uint32_t *grow_by_task(struct history *history, uint32_t *items, uint32_t *capacity,
                              uint32_t count) {
    *capacity = history->task_capacity;
    return pool_grow(history->pool, items, capacity, count, sizeof *items);
}

/* Room for this task in everything that goes by tasks. */
static void meet(struct history *history, uint32_t task) {
    if (task < history->width)
        return;
    uint32_t width = (task / CLOCK_BLOCK + 1) * CLOCK_BLOCK;
    if (width > history->task_capacity) {
        uint32_t capacity;
        history->last = grow_by_task(history, history->last, &capacity, width);
        history->born = grow_by_task(history, history->born, &capacity, width);
        history->known = grow_by_task(history, history->known, &capacity, width);
        history->task_capacity = capacity;
    }
    widen(history, width);
}

/* --- growing and cutting -------------------------------------------------------------------- */

void history_add_state(struct history *history, const struct choice *choice) {
    bool first = history->count == 0;
    CHECK(history->state_count == history->count);
    for (uint32_t i = 0; i < choice->live; i++)
        meet(history, choice->pending[i].task);
    waitings_add(&history->waitings, history->state_count++,
                 first ? NO_TASK : history->steps[history->count - 1].event.task, choice);
}

static void forget_touches(struct history *history, uint32_t end) {
    while (history->touch_count > end) {
        const struct touch *touch = &history->touches[--history->touch_count];
        *chain_end(history, touch->key) = before(touch);
    }
}

static void forget_step(struct history *history) {
    const struct step *step = &history->steps[--history->count];
    history->last[step->event.task] = step->previous == NO_STEP ? 0 : step->previous + 1;
    for (uint32_t task = 0; step->creates && task < history->width; task++)
        if (history->born[task] == history->count + 1)
            history->born[task] = 0;
    forget_touches(history, history->count ? history->steps[history->count - 1].touch_end : 0);
}

static bool is_before(const struct race *race, uint32_t step) {
    return race->second != NO_STEP && race->second < step;
}

void history_cut(struct history *history, uint32_t steps) {
    while (history->count > steps)
        forget_step(history);
    if (history->state_count > steps + 1) {
        waitings_cut(&history->waitings, steps);
        history->state_count = steps + 1;
    }
    while (history->race_count > 0 && !is_before(&history->races[history->race_count - 1], steps))
        history->race_count--;
}

/* --- what comes before ---------------------------------------------------------------------- */

static void copy_row(uint32_t *restrict to, const uint32_t *restrict from, uint32_t count) {
    for (uint32_t block = 0; block < count; block += CLOCK_BLOCK)
        for (uint32_t i = block; i < block + CLOCK_BLOCK; i++)
            to[i] = from[i];
}

static void join(struct history *history, uint32_t step) {
    clock_row_join(history->known, clock_of(history, step), history->width);
}

static bool is_known(const struct history *history, uint32_t step) {
    return history->known[history->steps[step].event.task] > step;
}

static bool joins(const struct event *event) {
    return event->op.kind == OP_JOIN && !event->op.timed;
}

/* What happens before the task's next step in any case: program order, creation, the end of a task
 * that is joined. */
static void know_causes(struct history *history, const struct event *event) {
    const struct op *op = &event->op;
    uint32_t task = event->task;
    uint32_t before = history->last[task] > 0 ? history->last[task] : history->born[task];
    if (before > 0)
        copy_row(history->known, clock_of(history, before - 1), history->width);
    else
        memset(history->known, 0, history->width * sizeof *history->known);
    if (!joins(event) || op->target >= history->width)
        return;
    if (history->last[op->target] > 0)
        join(history, history->last[op->target] - 1);
    else if (history->born[op->target] > 0)
        join(history, history->born[op->target] - 1);
}

/* --- could it have come first? -------------------------------------------------------------- */

enum answer { NO, YES, MAYBE };

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
    uint32_t at = last_touch(history, object | KEY_OBJECT);
    history->trail_count = history->trail_base = 0;
    history->origin = NO_STEP;
    for (; at != 0; at = before(&history->touches[at - 1])) {
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
    for (uint32_t at = last_touch(history, object | KEY_OBJECT); at != 0;
         at = before(&history->touches[at - 1])) {
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

/* A receive that goes by a predicate. Its own message was the first that fitted; if another one is in
 * the way of that, it took one that would have fitted, too, or not. */
static enum answer receive_without(const struct history *history, uint32_t without,
                                   const struct event *event) {
    bool happened = !(event->flags & EVENT_AHEAD);
    if (history->steps[without].event.op.kind == OP_SEND)
        return NO;
    for (uint32_t at = last_touch(history, event->op.object | KEY_OBJECT); happened && at != 0;
         at = before(&history->touches[at - 1])) {
        uint32_t step = history->touches[at - 1].step;
        if (is_its_send(&history->steps[step].event, event) &&
            !happens_before(history, without, step))
            return YES;
    }
    if (stood_there(history, without, event->task))
        return was_enabled(history, without, event->task) ? YES : NO;
    return MAYBE;
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

/* It stood at a sleep then, from which it could leave by itself. */
static bool slept_at(const struct history *history, uint32_t step, uint32_t task) {
    if (!stood_there(history, step, task))
        return false;
    const struct waiting *waiting = history_waiting(history, step, task);
    return waiting->op.kind == OP_COND_SLEEP && waiting->enabled;
}

/* A sleeper that was woken needs the mutex; so does one that gave up by himself. */
static bool wake_without(struct history *history, uint32_t without, const struct event *event) {
    static const struct op lock = {.kind = OP_LOCK};
    uint32_t own = history->last[event->task];
    bool gave_up = own > 0 && history->steps[own - 1].event.op.kind == OP_COND_SLEEP;
    uint32_t waker = first_since(history, event->op.object, event->task, wakes, event);
    if (!gave_up && (waker == NO_STEP || happens_before(history, without, waker)))
        return slept_at(history, without, event->task);
    struct lock_state state =
        state_without(history, without, event->op.object2, false, event->task);
    return lock_state_allows(&state, &lock);
}

/* A task parked in a loop waits for whatever it has read, which is not in its operation. For the others
 * those who let them go on are dependent. */
static bool is_polling(const struct op *op) {
    enum op_class class = op_info(op->kind)->class;
    return class == CLASS_MEMORY || class == CLASS_NONE;
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

/* Looking for what races with an event. */
struct search {
    struct history *history;
    const struct event *event;
    uint32_t second; /* its number, or NO_STEP: it is only pending */
    uint32_t found;  /* steps in history->found: those that depend and are not known yet */
    bool open;       /* a step was passed that need not happen before it */
    bool by_predicate;
};

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
static enum answer could_come_first(const struct search *search, uint32_t first) {
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
    case OP_ONCE_ENTER: {
        struct lock_state state =
            state_without(history, first, event->op.object, false, event->task);
        if (history->origin != NO_STEP)
            return lock_state_allows(&state, &event->op) ? YES : NO;
        break; /* nobody has touched it, so it is as it was */
    }
    case OP_JOIN:
        if (event->op.timed)
            break;
        return ended(history, event->op.target) && ended_without(history, first, event->op.target)
                   ? YES
                   : NO;
    case OP_COND_WAKE: return wake_without(history, first, event) ? YES : NO;
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
 * stores of the value for which a parked task does not wait. */
static bool could_come_alone(const struct search *search, uint32_t first) {
    struct history *history = search->history;
    const struct event *event = search->event;
    if (is_parked(search))
        return was_enabled(history, first, event->task);
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

/* The oldest message that is there, if it takes any. */
static bool predict_receive(struct history *history, const struct race *race, struct event *event) {
    if (race->by_predicate)
        return false;
    collect_trail(history, event->op.object, 0, not_after, race->first, event->task);
    event->flags = EVENT_FAILED;
    for (uint32_t i = history->trail_count; i-- > 0;) {
        const struct event *sent = &history->steps[history->trail[i]].event;
        if (sent->op.kind != OP_SEND || received(history, sent->result))
            continue;
        event->flags = 0;
        event->result = sent->result;
        break;
    }
    return true;
}

static bool predict(struct history *history, const struct race *race, struct event *event) {
    const struct event *first = &history->steps[race->first].event;
    switch ((enum op_kind)event->op.kind) {
    case OP_STORE: event->flags = 0; return true;
    case OP_LOAD:
    case OP_RMW:
    case OP_CAS: return predict_access(history, race, event);
    case OP_UNLOCK: /* whether it holds the lock is known to itself alone */
    case OP_SPIN_UNLOCK:
    case OP_RW_UNLOCK: predict_unlock(history, race, event); return true;
    case OP_RECEIVE:
    case OP_TRY_RECEIVE: return predict_receive(history, race, event);
    case OP_SEND:
        event->flags = 0;
        event->result = first->op.kind == OP_SEND ? first->result : race->last.result;
        return race->second != NO_STEP;
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

/* --- races ---------------------------------------------------------------------------------- */

static void add_found(struct search *search, uint32_t step) {
    struct history *history = search->history;
    for (uint32_t i = 0; i < search->found; i++)
        if (history->found[i] == step)
            return;
    history->found = pool_grow(history->pool, history->found, &history->found_capacity,
                               (size_t)search->found + 1, sizeof *history->found);
    history->found[search->found++] = step;
}

static bool depends(const struct search *search, uint32_t step) {
    const struct history *history = search->history;
    if (history->depends != NULL)
        return history->depends(history, step, search->event, search->second);
    return dependent_events(&history->steps[step].event, search->event);
}

/* Along one chain, from its end. */
static void search_chain(struct search *search, uint32_t end) {
    struct history *history = search->history;
    for (uint32_t at = end; at != 0; at = before(&history->touches[at - 1])) {
        const struct touch *touch = &history->touches[at - 1];
        bool known = is_known(history, touch->step), closed = is_closed(touch);
        if (!known && depends(search, touch->step)) {
            closed = closed && could_come_first(search, touch->step) == YES;
            add_found(search, touch->step);
        } else if (!known) {
            search->open = true;
            closed = false;
        }
        if (closed)
            return;
    }
}

static void search_everything(struct search *search) {
    for (uint32_t step = search->history->count; step-- > 0;)
        if (!is_known(search->history, step) &&
            !(search->history->steps[step].event.flags & EVENT_IDLE))
            add_found(search, step);
}

static void sort_down(uint32_t *items, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint32_t item = items[i], at = i;
        for (; at > 0 && items[at - 1] < item; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

static bool before_another_race(const struct history *history, uint32_t step, uint32_t from) {
    for (uint32_t i = from; i < history->race_count; i++)
        if (!history->races[i].enabling && happens_before(history, step, history->races[i].first))
            return true;
    return false;
}

static void add_race(struct history *history, const struct race *race) {
    history->races = pool_grow(history->pool, history->races, &history->race_capacity,
                               (size_t)history->race_count + 1, sizeof *history->races);
    history->races[history->race_count++] = *race;
}

/* A receive says so before it happens; then its value is the message. */
static bool goes_by_predicate(const struct history *history, const struct event *event,
                              uint32_t second) {
    if (event->op.kind != OP_RECEIVE && event->op.kind != OP_TRY_RECEIVE)
        return false;
    if (second == NO_STEP)
        return event->op.value != 0;
    return history_waiting(history, second, event->task)->op.value != 0;
}

static void consider(struct search *search, uint32_t first) {
    struct history *history = search->history;
    struct race race = {.first = first,
                        .second = search->second,
                        .last = *search->event,
                        .by_predicate = search->by_predicate};
    enum answer answer = could_come_first(search, first);
    race.unsure = answer == MAYBE;
    race.alone = answer == NO && could_come_alone(search, first);
    race.enabling = answer == NO && !race.alone;
    if (!race.enabling || history->keeps_enabling)
        add_race(history, &race);
}

/* The latest ones that can be turned round. Leaves in history->known all that happens before. */
static bool find_races(struct history *history, const struct event *event, uint32_t second,
                       const struct keys *keys) {
    struct search search = {.history = history,
                            .event = event,
                            .second = second,
                            .by_predicate = goes_by_predicate(history, event, second)};
    uint32_t from = history->race_count;
    know_causes(history, event);
    search_chain(&search, history->last_of_all);
    if (touches_all(event))
        search_everything(&search);
    for (uint32_t i = 0; i < keys->count; i++)
        search_chain(&search, last_touch(history, keys->keys[i]));
    sort_down(history->found, search.found);
    for (uint32_t i = 0; i < search.found; i++) {
        uint32_t step = history->found[i];
        if (!before_another_race(history, step, from))
            consider(&search, step);
    }
    for (uint32_t i = 0; i < search.found; i++)
        join(history, history->found[i]);
    return !search.open;
}

/* The object's state with this event, after its touch before. */
static struct lock_state state_after(const struct history *history, uint32_t before,
                                     const struct event *event, uint64_t object) {
    struct lock_state state;
    if (before != 0)
        state = history->after[before - 1];
    else
        lock_state_begin(&state, event);
    lock_state_apply(&state, event, object);
    return state;
}

static void add_touches(struct history *history, const struct event *event, const struct keys *keys,
                        bool closed) {
    size_t needed = (size_t)history->touch_count + keys->count;
    history->touches = pool_grow(history->pool, history->touches, &history->touch_capacity, needed,
                                 sizeof *history->touches);
    history->after = pool_grow(history->pool, history->after, &history->after_capacity, needed,
                               sizeof *history->after);
    for (uint32_t i = 0; i < keys->count; i++) {
        uint32_t *last = chain_end(history, keys->keys[i]);
        if (is_object_key(keys->keys[i]))
            history->after[history->touch_count] =
                state_after(history, *last, event, keys->keys[i] & ~KEY_OBJECT);
        history->touches[history->touch_count++] =
            (struct touch){keys->keys[i], history->count, *last | (closed ? CLOSED : 0)};
        *last = history->touch_count;
    }
}

/* What is idle could have come earlier, and been something else; nobody comes after it. */
static const struct event *busy(const struct event *event, struct event *room) {
    if (!(event->flags & EVENT_IDLE))
        return event;
    *room = *event;
    room->flags &= ~(uint32_t)EVENT_IDLE;
    return room;
}

void history_add_step(struct history *history, const struct event *event) {
    struct event awake;
    uint32_t task = event->task, number = history->count;
    const struct waiting *waiting = history_waiting(history, number, task);
    CHECK(waiting != NULL);
    struct step step = {.event = *event,
                        .previous = history->last[task] - 1, /* NO_STEP if 0 */
                        .enabler = is_polling(&event->op) ? waiting->enabler : NO_STEP};
    struct keys keys;
    keys_of(event, &keys);
    bool closed = !history->late && find_races(history, busy(event, &awake), number, &keys);
    if (step.enabler != NO_STEP)
        join(history, step.enabler);
    history->known[task] = number + 1;
    history->clocks = pool_grow(history->pool, history->clocks, &history->clock_capacity,
                                (size_t)(number + 1) * history->width, sizeof *history->clocks);
    copy_row(clock_of(history, number), history->known, history->width);
    history->steps = pool_grow(history->pool, history->steps, &history->step_capacity,
                               (size_t)number + 1, sizeof *history->steps);
    if (!(event->flags & EVENT_IDLE))
        add_touches(history, event, &keys, closed);
    step.touch_end = history->touch_count;
    history->steps[number] = step;
    history->count++;
    history->last[task] = number + 1;
}

void history_add_task(struct history *history, uint32_t task) {
    meet(history, task);
    history->born[task] = history->count;
    history->steps[history->count - 1].creates = true;
}

void history_reorder(struct history *history) {
    uint32_t steps = history->count, states = history->state_count;
    bool late = history->late;
    history->late = false;
    forget_touches(history, 0);
    memset(history->last, 0, history->width * sizeof *history->last);
    history->race_count = history->count = 0;
    for (uint32_t i = 0; i < steps; i++) {
        struct step step = history->steps[i];
        history->state_count = i + 1;
        history_add_step(history, &step.event);
        history->steps[i].creates = step.creates;
    }
    history->state_count = states;
    history->late = late;
}

void history_add_pending(struct history *history, uint32_t task, const struct op *op) {
    struct event event = {.op = *op, .task = task, .flags = EVENT_AHEAD};
    struct keys keys;
    meet(history, task);
    keys_of(&event, &keys);
    find_races(history, &event, NO_STEP, &keys);
}

bool history_leads_to(const struct history *history, uint32_t step, const struct race *race,
                      const struct event *event) {
    const struct event *before = &history->steps[step].event;
    if (before->task == event->task || dependent_events(before, event))
        return true;
    if (history->born[event->task] == step + 1)
        return true;
    if (joins(event) && before->task == event->op.target)
        return true;
    return race->second != NO_STEP && history->steps[race->second].enabler == step;
}
