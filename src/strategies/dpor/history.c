/* history.c - see history.h.
 *
 * Steps that may be dependent are found by what they touch: each step leaves a touch under each of its
 * keys (8 bytes of memory, an object, a task), chained to the one before. A step that depends on
 * everything has a key of its own, which everybody looks at.
 *
 * A chain is not walked touch by touch. The *opener* of a touch is one before it such that all in between
 * happen before it: whoever knows the touch, or must come after it, goes on at its opener, and is through if
 * there is none. Whoever only reads goes from writer to writer. */
#include "strategies/dpor/history.h"

#include <string.h>

#include "base/bytes.h"
#include "base/check.h"
#include "event/dependence.h"
#include "strategies/dpor/instead.h"

enum { FIRST_SLOTS = 64 };

/* Touches by key: open addressing, nothing is ever taken out. */
struct slot {
    uint64_t key;
    uint32_t touch; /* number + 1 of the last one, 0: none */
    bool used;
};

/* --- keys ----------------------------------------------------------------------------------- */

/* Nobody moves after the end of an execution: that depends on everything, too. */
static bool ends_or_touches_all(const struct event *event) {
    return (event->flags & EVENT_FATAL) || touches_all(&event->op);
}

static void keys_of(const struct event *event, struct touch_keys *keys) {
    touch_keys_of(&event->op, keys);
    if (event->flags & EVENT_FATAL) {
        keys->keys[0] = TOUCH_ALL;
        keys->count = 1;
    }
}

static bool is_object_key(uint64_t key) {
    return key != TOUCH_ALL && (key & TOUCH_OBJECT);
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
    return key == TOUCH_ALL ? &history->last_of_all : &slot_for(history, key)->touch;
}

static uint32_t last_touch(const struct history *history, uint64_t key) {
    if (key == TOUCH_ALL)
        return history->last_of_all;
    const struct slot *slot = slot_of(history, key);
    return slot->used ? slot->touch : 0;
}

uint32_t history_last_touch(const struct history *history, uint64_t object) {
    return last_touch(history, object | TOUCH_OBJECT);
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

/* Rows of numbers, one a step, with room for more tasks. */
static uint32_t *widen(const struct history *history, uint32_t *rows, uint32_t *capacity,
                       uint32_t width) {
    uint32_t old_capacity = *capacity, old_width = history->width;
    *capacity = 0;
    uint32_t *wider = pool_grow(history->pool, NULL, capacity, (size_t)(history->count + 1) * width,
                                sizeof *wider);
    for (uint32_t i = 0; i < history->count; i++) {
        memset(wider + (size_t)i * width, 0, width * sizeof *wider);
        memcpy(wider + (size_t)i * width, rows + (size_t)i * old_width, old_width * sizeof *wider);
    }
    pool_free(history->pool, rows, old_capacity * sizeof *rows);
    return wider;
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
        history->starts = grow_by_task(history, history->starts, &capacity, width);
        history->born = grow_by_task(history, history->born, &capacity, width);
        history->known = grow_by_task(history, history->known, &capacity, width);
        history->task_capacity = capacity;
    }
    history->clocks = widen(history, history->clocks, &history->clock_capacity, width);
    history->lasts = widen(history, history->lasts, &history->lasts_capacity, width);
    for (uint32_t i = history->width; i < width; i++)
        history->starts[i] = NO_STEP;
    history->width = width;
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
        *chain_end(history, touch->key) = touch->previous;
    }
}

/* Where history_next() looks. */
static uint32_t *next_link(struct history *history, uint32_t task, uint32_t last) {
    return last > 0 ? &history->steps[last - 1].following : &history->starts[task];
}

static void forget_step(struct history *history) {
    const struct step *step = &history->steps[--history->count];
    uint32_t task = step->event.task, last = step->previous == NO_STEP ? 0 : step->previous + 1;
    history->last[task] = last;
    *next_link(history, task, last) = NO_STEP;
    for (uint32_t i = 0; step->creates && i < history->width; i++)
        if (history->born[i] == history->count + 1)
            history->born[i] = 0;
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

static void join(struct history *history, uint32_t step) {
    clock_row_join(history->known, clock_of(history, step), history->width);
}

static bool is_known(const struct history *history, uint32_t step) {
    return history->known[history->steps[step].event.task] > step;
}

static bool joins(const struct op *op) {
    return op->kind == OP_JOIN && !op->timed;
}

/* A join that did not happen, but could have before the last step although the other task had not ended: a
 * cancellation is due there, which does not wait for the end. */
static bool is_cancelled(const struct history *history, const struct event *join) {
    if (!(join->flags & EVENT_AHEAD) || history->last[join->task] == history->count)
        return false;
    const struct waiting *waiting = history_waiting(history, history->count - 1, join->task);
    return waiting != NULL && waiting->enabled &&
           history_waiting(history, history->count - 1, join->op.target) != NULL;
}

/* What happens before the task's next step in any case: program order, creation, the end of a task
 * that is joined. */
static void know_causes(struct history *history, const struct event *event) {
    const struct op *op = &event->op;
    uint32_t task = event->task;
    uint32_t before = history->last[task] > 0 ? history->last[task] : history->born[task];
    if (before > 0)
        clock_row_copy(history->known, clock_of(history, before - 1), history->width);
    else
        bytes_clear(history->known, history->width * sizeof *history->known);
    if (!joins(op) || op->target >= history->width || is_cancelled(history, event))
        return;
    if (history->last[op->target] > 0)
        join(history, history->last[op->target] - 1);
    else if (history->born[op->target] > 0)
        join(history, history->born[op->target] - 1);
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
        return history->depends(history, step, search->seen, search->second);
    return dependent_events(&history->steps[step].event, search->seen);
}

static bool only_reads(const struct event *event) {
    return op_info(event->op.kind)->effect == EFFECT_READ && !(event->flags & EVENT_FATAL);
}

/* Along one chain, from its end. Says who is the opener of a touch that is added there. */
static uint32_t search_chain(struct search *search, uint32_t end) {
    struct history *history = search->history;
    uint32_t opener = 0, next;
    for (uint32_t at = end; at != 0; at = next) {
        const struct touch *touch = &history->touches[at - 1];
        if (is_known(history, touch->step)) {
            next = touch->opener;
        } else if (depends(search, touch->step)) {
            bool first = could_come_first(search, touch->step) == YES;
            add_found(search, touch->step);
            next = first ? touch->opener : touch->previous;
        } else {
            opener = opener != 0 ? opener : at;
            next = only_reads(search->seen) ? touch->written : touch->previous;
        }
    }
    return opener;
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

static struct race *add_race(struct history *history) {
    history->races = pool_grow(history->pool, history->races, &history->race_capacity,
                               (size_t)history->race_count + 1, sizeof *history->races);
    return &history->races[history->race_count++];
}

/* A receive says so before it happens; then its value is the message. */
static bool goes_by_predicate(const struct history *history, const struct event *event,
                              uint32_t second) {
    if (!op_receives(event->op.kind))
        return false;
    if (second == NO_STEP)
        return event->op.value != 0;
    return history_waiting(history, second, event->task)->op.value != 0;
}

static void consider(struct search *search, uint32_t first) {
    struct history *history = search->history;
    enum answer answer = could_come_first(search, first);
    bool alone = answer == NO && could_come_alone(search, first);
    bool enabling = answer == NO && !alone;
    if (!enabling || history->keeps_enabling)
        *add_race(history) = (struct race){.first = first,
                                           .second = search->second,
                                           .last = *search->event,
                                           .extent = NO_STEP,
                                           .proof = NO_STEP,
                                           .by_predicate = search->by_predicate,
                                           .unsure = answer == MAYBE,
                                           .alone = alone,
                                           .enabling = enabling};
}

/* The latest ones that can be turned round. Leaves in history->known all that happens before, and the
 * openers of the touches of these keys. */
static void find_races(struct history *history, const struct event *event, const struct event *seen,
                       uint32_t second, const struct touch_keys *keys) {
    struct search search = {.history = history,
                            .event = event,
                            .seen = seen,
                            .second = second,
                            .by_predicate = goes_by_predicate(history, event, second)};
    uint32_t from = history->race_count;
    know_causes(history, event);
    search_chain(&search, history->last_of_all);
    if (ends_or_touches_all(event))
        search_everything(&search);
    for (uint32_t i = 0; i < keys->count; i++)
        history->openers[i] = search_chain(&search, last_touch(history, keys->keys[i]));
    sort_down(history->found, search.found);
    for (uint32_t i = 0; i < search.found; i++) {
        uint32_t step = history->found[i];
        if (!before_another_race(history, step, from))
            consider(&search, step);
    }
    for (uint32_t i = 0; i < search.found; i++)
        join(history, history->found[i]);
}

/* Nobody has looked: nothing is known of the touches before. */
static void leave_open(struct history *history, const struct touch_keys *keys) {
    for (uint32_t i = 0; i < keys->count; i++)
        history->openers[i] = last_touch(history, keys->keys[i]);
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

/* The last touch, up to that one, that does not only read. */
static uint32_t writer_at(const struct history *history, uint32_t at) {
    if (at == 0)
        return 0;
    const struct touch *touch = &history->touches[at - 1];
    return only_reads(&history->steps[touch->step].event) ? touch->written : at;
}

static void add_touches(struct history *history, const struct event *event,
                        const struct touch_keys *keys) {
    size_t needed = (size_t)history->touch_count + keys->count;
    history->touches = pool_grow(history->pool, history->touches, &history->touch_capacity, needed,
                                 sizeof *history->touches);
    history->after = pool_grow(history->pool, history->after, &history->after_capacity, needed,
                               sizeof *history->after);
    for (uint32_t i = 0; i < keys->count; i++) {
        uint32_t *last = chain_end(history, keys->keys[i]);
        if (is_object_key(keys->keys[i]))
            history->after[history->touch_count] =
                state_after(history, *last, event, keys->keys[i] & ~TOUCH_OBJECT);
        history->touches[history->touch_count++] = (struct touch){
            .key = keys->keys[i],
            .step = history->count,
            .previous = *last,
            .opener = history->openers[i],
            .written = writer_at(history, *last),
        };
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

/* Nobody comes after an idle one, and it comes after writes only: it has written nothing new. If it came after
 * reads, too, then a read that comes later would be independent of it and yet in its way: a sequence in which it
 * is to come before two reads was taken for one that begins with either. */
static const struct event *as_seen(const struct event *event, const struct event *real,
                                   struct event *room) {
    if (!(event->flags & EVENT_IDLE) || (event->op.kind != OP_RMW && event->op.kind != OP_CAS))
        return real;
    *room = *real;
    room->op.kind = OP_LOAD;
    return room;
}

void history_add_step(struct history *history, const struct event *event) {
    struct event awake, read;
    uint32_t task = event->task, number = history->count;
    const struct waiting *waiting = history_waiting(history, number, task);
    CHECK(waiting != NULL);
    struct step step = {.event = *event,
                        .previous = history->last[task] - 1, /* NO_STEP if 0 */
                        .following = NO_STEP,
                        .enabler = is_polling(&event->op) ? waiting->enabler : NO_STEP};
    struct touch_keys keys;
    keys_of(event, &keys);
    const struct event *real = busy(event, &awake);
    if (history->late)
        leave_open(history, &keys);
    else
        find_races(history, real, as_seen(event, real, &read), number, &keys);
    if (step.enabler != NO_STEP)
        join(history, step.enabler);
    history->known[task] = number + 1;
    history->clocks = pool_grow(history->pool, history->clocks, &history->clock_capacity,
                                (size_t)(number + 1) * history->width, sizeof *history->clocks);
    clock_row_copy(clock_of(history, number), history->known, history->width);
    history->lasts = pool_grow(history->pool, history->lasts, &history->lasts_capacity,
                               (size_t)(number + 1) * history->width, sizeof *history->lasts);
    clock_row_copy(history->lasts + (size_t)number * history->width, history->last, history->width);
    history->steps = pool_grow(history->pool, history->steps, &history->step_capacity,
                               (size_t)number + 1, sizeof *history->steps);
    if (!(event->flags & EVENT_IDLE))
        add_touches(history, event, &keys);
    step.touch_end = history->touch_count;
    history->steps[number] = step;
    history->count++;
    *next_link(history, task, history->last[task]) = number;
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
    if (history->width > 0) { /* else no task has been met */
        memset(history->last, 0, history->width * sizeof *history->last);
        memset(history->starts, -1, history->width * sizeof *history->starts);
    }
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

bool history_is_free(const struct history *history, const struct event *event, uint32_t first,
                     const uint32_t *from) {
    struct touch_keys keys;
    bool reads = only_reads(event);
    keys_of(event, &keys);
    if (history->last_of_all != 0 || ends_or_touches_all(event))
        return false;
    for (uint32_t i = 0; i < keys.count; i++) {
        uint32_t at = last_touch(history, keys.keys[i]);
        for (at = reads ? writer_at(history, at) : at; at != 0;
             at = reads ? history->touches[at - 1].written : history->touches[at - 1].previous) {
            uint32_t step = history->touches[at - 1].step;
            const struct event *other = &history->steps[step].event;
            if (step < first)
                break;
            if (step >= from[other->task] && dependent_events(event, other) &&
                !happens_before(history, first, step))
                return false;
        }
    }
    return true;
}

bool history_joins_freely(const struct history *history, const struct op *op) {
    if (!joins(op) || history->last_of_all != 0)
        return false;
    uint32_t last = last_touch(history, op->target | TOUCH_TASK);
    if (last == 0)
        return true;
    enum op_kind kind = history->steps[history->touches[last - 1].step].event.op.kind;
    return kind == OP_CREATE || kind == OP_END;
}

void history_add_pending(struct history *history, uint32_t task, const struct op *op) {
    struct event event = {.op = *op, .task = task, .flags = EVENT_AHEAD};
    struct touch_keys keys;
    meet(history, task);
    keys_of(&event, &keys);
    find_races(history, &event, &event, NO_STEP, &keys);
}

bool history_leads_to(const struct history *history, uint32_t step, const struct race *race,
                      const struct event *event) {
    const struct event *before = &history->steps[step].event;
    if (before->task == event->task || dependent_events(before, event))
        return true;
    if (history->born[event->task] == step + 1)
        return true;
    if (joins(&event->op) && before->task == event->op.target)
        return true;
    return race->second != NO_STEP && history->steps[race->second].enabler == step;
}
