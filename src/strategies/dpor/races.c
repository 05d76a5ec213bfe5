/* races.c - see races.h.
 *
 * A chain is not walked touch by touch. The *opener* of a touch is an earlier touch such that all
 * touches in between happen before the later one. So if the later touch is known to happen before
 * the event, or must come before it, the search goes on at its opener; it is finished if there is
 * none. For an event that only reads, the search goes from writer to writer. */
#include "strategies/dpor/races.h"

#include "base/bytes.h"
#include "strategies/dpor/instead.h"

/* --- what comes before ---------------------------------------------------------------------- */

static bool is_known(const struct history *history, uint32_t step) {
    return history->known[history->steps[step].event.task] > step;
}

/* Returns true for a join that has not happened, but could have before the last step although the
 * other task had not ended: a cancellation is due, which does not wait for that end. */
static bool is_cancelled(const struct history *history, const struct event *join) {
    if (!(join->flags & EVENT_AHEAD) || history->last[join->task] == history->count)
        return false;
    const struct waiting *waiting = history_waiting(history, history->count - 1, join->task);
    return waiting != NULL && waiting->enabled &&
           history_waiting(history, history->count - 1, join->op.target) != NULL;
}

/* Finds what happens before the next step of the task in any case: program order, creation, and the
 * end of a task that is joined. */
static void know_causes(struct history *history, const struct event *event) {
    const struct op *op = &event->op;
    uint32_t task = event->task;
    uint32_t before = history->last[task] > 0 ? history->last[task] : history->born[task];
    if (before > 0)
        clock_row_copy(history->known, history->clocks + (size_t)(before - 1) * history->width,
                       history->width);
    else
        bytes_clear(history->known, history->width * sizeof *history->known);
    if (!waits_for_end(op) || op->target >= history->width || is_cancelled(history, event))
        return;
    if (history->last[op->target] > 0)
        know_step(history, history->last[op->target] - 1);
    else if (history->born[op->target] > 0)
        know_step(history, history->born[op->target] - 1);
}

/* --- races ---------------------------------------------------------------------------------- */

static void add_found(struct search *search, uint32_t step, bool first) {
    struct history *history = search->history;
    for (uint32_t i = 0; i < search->found; i++)
        if (history->found[i].step == step)
            return;
    history->found = pool_grow(history->pool, history->found, &history->found_capacity,
                               (size_t)search->found + 1, sizeof *history->found);
    history->found[search->found++] = (struct found){step, first};
}

static bool depends(const struct search *search, uint32_t step) {
    const struct history *history = search->history;
    if (history->depends != NULL)
        return history->depends(history, step, search->seen, search->second);
    return dependent_events(&history->steps[step].event, search->seen);
}

/* Searches one chain from its end. Returns the opener of a touch that is added there. */
static uint32_t search_chain(struct search *search, uint32_t end) {
    struct history *history = search->history;
    uint32_t opener = 0, next;
    for (uint32_t at = end; at != 0; at = next) {
        const struct touch *touch = &history->touches[at - 1];
        if (is_known(history, touch->step)) {
            next = touch->opener;
        } else if (depends(search, touch->step)) {
            bool first = could_come_first(search, touch->step) == YES;
            add_found(search, touch->step, first);
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
            add_found(search, step, false);
}

static void sort_down(struct found *items, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        struct found item = items[i];
        uint32_t at = i;
        for (; at > 0 && items[at - 1].step < item.step; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* Such a race need not be planned: it is found again in the execution in which the later one is
 * turned round. But if it is not known whether that one can be, then there may be no such
 * execution. */
static bool before_another_race(const struct history *history, uint32_t step, uint32_t from) {
    for (uint32_t i = from; i < history->race_count; i++) {
        const struct race *race = &history->races[i];
        if (!race->enabling && !race->untold && happens_before(history, step, race->first))
            return true;
    }
    return false;
}

static struct race *add_race(struct history *history) {
    history->races = pool_grow(history->pool, history->races, &history->race_capacity,
                               (size_t)history->race_count + 1, sizeof *history->races);
    return &history->races[history->race_count++];
}

/* Returns true if a receive goes by a predicate. A pending receive says so itself. After it has
 * happened, its value is the message, so the operation that its task stood before is asked. */
static bool goes_by_predicate(const struct history *history, const struct event *event,
                              uint32_t second) {
    if (!op_receives(event->op.kind))
        return false;
    if (second == NO_STEP)
        return event->op.by_predicate;
    return history_op_at(history, second, event->task)->by_predicate;
}

static void consider(struct search *search, const struct found *found) {
    struct history *history = search->history;
    uint32_t first = found->step;
    enum answer answer = found->first ? YES : could_come_first(search, first);
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
                                           .untold = answer == UNTOLD,
                                           .alone = alone,
                                           .enabling = enabling};
}

void find_races(struct history *history, const struct event *event, const struct event *seen,
                uint32_t second, const struct touch_keys *keys) {
    struct search search = {.history = history,
                            .event = event,
                            .seen = seen,
                            .second = second,
                            .by_predicate = goes_by_predicate(history, event, second)};
    uint32_t from = history->race_count;
    know_causes(history, event);
    search_chain(&search, history->last_of_all);
    if (touches_everything(event))
        search_everything(&search);
    for (uint32_t i = 0; i < keys->count; i++)
        history->openers[i] = search_chain(&search, history_last_touch(history, keys->keys[i]));
    sort_down(history->found, search.found);
    for (uint32_t i = 0; i < search.found; i++) {
        const struct found *found = &history->found[i];
        if (!before_another_race(history, found->step, from))
            consider(&search, found);
    }
    for (uint32_t i = 0; i < search.found; i++)
        know_step(history, history->found[i].step);
}
