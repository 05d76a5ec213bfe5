/* history.c - see history.h.
 *
 * What steps touch shows which of them may be dependent. Each step leaves a touch for each of its
 * keys (8 bytes of memory, an object, a task), chained to the touch before of the same key. A step
 * that depends on everything has a key of its own, whose chain is searched for every step. How a
 * search follows the chains is described in races.c. */
#include "strategies/dpor/history.h"

#include <string.h>

#include "base/check.h"
#include "event/dependence.h"
#include "event/footprint.h"
#include "strategies/dpor/instead.h"
#include "strategies/dpor/races.h"

/* --- keys ----------------------------------------------------------------------------------- */

static void keys_of(const struct event *event, struct touch_keys *keys) {
    if (event->flags & EVENT_FATAL) {
        keys->keys[0] = TOUCH_ALL;
        keys->count = 1;
    } else if (has_footprint(event)) {
        const struct footprint *footprint = footprint_of(event);
        keys->count = footprint->granule_count;
        memcpy(keys->keys, footprint->granules, keys->count * sizeof *keys->keys);
    } else {
        touch_keys_of(&event->op, keys);
    }
}

static bool is_object_key(uint64_t key) {
    return key != TOUCH_ALL && (key & TOUCH_OBJECT);
}

/* Returns where the number + 1 of the last touch with that key is kept, 0 for none. */
static uint32_t *chain_end(struct history *history, uint64_t key) {
    return key == TOUCH_ALL ? &history->last_of_all
                            : &hash_table_get(&history->last_touches, key)->value;
}

uint32_t history_last_touch(const struct history *history, uint64_t key) {
    if (key == TOUCH_ALL)
        return history->last_of_all;
    const struct hash_slot *slot = hash_table_find(&history->last_touches, key);
    return slot != NULL ? slot->value : 0;
}

/* --- room ----------------------------------------------------------------------------------- */

void history_init(struct history *history, struct pool *pool) {
    *history = (struct history){.pool = pool};
    waitings_init(&history->waitings, pool);
    hash_table_init(&history->last_touches, pool);
}

static uint32_t *clock_of(const struct history *history, uint32_t step) {
    return history->clocks + (size_t)step * history->width;
}

/* Copies rows of numbers, to make room for more tasks. */
static uint32_t *widen(const struct history *history, uint32_t *rows, uint32_t count,
                       uint32_t *capacity, uint32_t width) {
    uint32_t old_capacity = *capacity, old_width = history->width;
    *capacity = 0;
    uint32_t *wider =
        pool_grow(history->pool, NULL, capacity, (size_t)(count + 1) * width, sizeof *wider);
    for (uint32_t i = 0; i < count; i++) {
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

/* Makes room for this task in all arrays that have an entry for each task. */
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
    uint32_t lasts = (history->count + LASTS_DISTANCE - 1) / LASTS_DISTANCE;
    history->clocks =
        widen(history, history->clocks, history->count, &history->clock_capacity, width);
    history->lasts = widen(history, history->lasts, lasts, &history->lasts_capacity, width);
    for (uint32_t i = history->width; i < width; i++)
        history->starts[i] = NO_STEP;
    history->width = width;
}

/* --- growing and cutting -------------------------------------------------------------------- */

void history_add_state(struct history *history, const struct choice *choice) {
    bool first = history->count == 0;
    CHECK(history->state_count == history->count);
    struct changes changes = changes_of(&history->waitings, choice);
    for (uint32_t i = 0; i < changes.count; i++)
        meet(history, choice->pending[changed_at(&changes, i)].task);
    waitings_add(&history->waitings, history->state_count++,
                 first ? NO_TASK : history->steps[history->count - 1].event.task, choice);
}

static void forget_touches(struct history *history, uint32_t end) {
    while (history->touch_count > end) {
        const struct touch *touch = &history->touches[--history->touch_count];
        *chain_end(history, touch->key) = touch->previous;
    }
}

/* Returns the link that history_next() follows. */
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
    history->waitings.number = 0;
    while (history->race_count > 0 && !is_before(&history->races[history->race_count - 1], steps))
        history->race_count--;
}

/* --- steps ---------------------------------------------------------------------------------- */

/* Sets the openers of a step whose races are not searched: nothing is known of the touches
 * before. */
static void leave_open(struct history *history, const struct touch_keys *keys) {
    for (uint32_t i = 0; i < keys->count; i++)
        history->openers[i] = history_last_touch(history, keys->keys[i]);
}

/* Returns the state of the object after this event, which follows the touch `before`. */
static struct lock_state state_after(const struct history *history, uint32_t before,
                                     const struct event *event, uint64_t object) {
    struct lock_state state;
    if (before != 0) {
        state = history->after[before - 1];
        lock_state_learn(&state, event);
    } else {
        lock_state_begin(&state, event);
    }
    lock_state_apply(&state, event, object);
    return state;
}

/* Returns the last touch, up to that one, that does not only read. */
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

/* An idle step could have come earlier, and been something else then. No step has to come after
 * it. */
static const struct event *busy(const struct event *event, struct event *room) {
    if (!(event->flags & EVENT_IDLE))
        return event;
    *room = *event;
    room->flags &= ~(uint32_t)EVENT_IDLE;
    return room;
}

/* No step has to come after an idle one, and the idle step has to come after writes only, because
 * it has written nothing new. Suppose it came after reads as well. Then a later read would be
 * independent of it, and yet keep it from coming first. A sequence in which the step comes before
 * two reads was once taken for one that may begin with either of them. */
static const struct event *as_seen(const struct event *event, const struct event *real,
                                   struct event *room) {
    if (!(event->flags & EVENT_IDLE) || (event->op.kind != OP_RMW && event->op.kind != OP_CAS))
        return real;
    *room = *real;
    room->op.kind = OP_LOAD;
    return room;
}

static void keep_lasts(struct history *history, uint32_t row) {
    history->lasts = pool_grow(history->pool, history->lasts, &history->lasts_capacity,
                               (size_t)(row + 1) * history->width, sizeof *history->lasts);
    clock_row_copy(history->lasts + (size_t)row * history->width, history->last, history->width);
}

void history_lasts(const struct history *history, uint32_t step, uint32_t *lasts) {
    uint32_t row = step / LASTS_DISTANCE;
    clock_row_copy(lasts, history->lasts + (size_t)row * history->width, history->width);
    for (uint32_t i = row * LASTS_DISTANCE; i < step; i++)
        lasts[history->steps[i].event.task] = i + 1;
}

void history_add_step(struct history *history, const struct event *event) {
    struct event awake, read;
    uint32_t task = event->task, number = history->count;
    const struct waiting *waiting = history_waiting(history, number, task);
    CHECK(waiting != NULL);
    struct step step = {.event = *event,
                        .previous = history->last[task] - 1, /* NO_STEP if `last` is 0 */
                        .following = NO_STEP,
                        .enabler = is_polling(&event->op) && waiting->look == 0 ? waiting->enabler
                                                                                : NO_STEP};
    struct touch_keys keys;
    keys_of(event, &keys);
    const struct event *real = busy(event, &awake);
    if (history->late)
        leave_open(history, &keys);
    else
        find_races(history, real, as_seen(event, real, &read), number, &keys);
    if (step.enabler != NO_STEP)
        know_step(history, step.enabler);
    history->known[task] = number + 1;
    history->clocks = pool_grow(history->pool, history->clocks, &history->clock_capacity,
                                (size_t)(number + 1) * history->width, sizeof *history->clocks);
    clock_row_copy(clock_of(history, number), history->known, history->width);
    if (number % LASTS_DISTANCE == 0)
        keep_lasts(history, number / LASTS_DISTANCE);
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
    if (history->width > 0) { /* otherwise no task has been met */
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
    if (history->last_of_all != 0 || touches_everything(event))
        return false;
    for (uint32_t i = 0; i < keys.count; i++) {
        uint32_t at = history_last_touch(history, keys.keys[i]);
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
    if (!waits_for_end(op) || history->last_of_all != 0)
        return false;
    uint32_t last = history_last_touch(history, op->target | TOUCH_TASK);
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
    if (waits_for_end(&event->op) && before->task == event->op.target)
        return true;
    return race->second != NO_STEP && history->steps[race->second].enabler == step;
}
