/* within.c - see within.h. */
#include "strategies/dpor/within.h"

#include "event/dependence.h"

void within_init(struct within *within, const struct options *options, struct history *history) {
    *within = (struct within){.bound = bound_of(options), .history = history};
    history->keeps_enabling = within_bounds(within);
}

static uint32_t moved_before(const struct history *history, uint32_t step) {
    return step == 0 ? NO_TASK : history->steps[step - 1].event.task;
}

static void add_waiting(struct within *within, struct choice *choice, uint32_t step, bool enabled) {
    const struct history *history = within->history;
    for (uint32_t task = 0; task < history->width; task++) {
        const struct waiting *waiting = history_waiting(history, step, task);
        if (waiting == NULL || waiting->enabled != enabled)
            continue;
        within->pending[choice->live++] =
            (struct pending){.task = task, .op = history_op(history, waiting)};
        choice->count += enabled;
    }
}

struct choice within_state(struct within *within, uint32_t step) {
    const struct history *history = within->history;
    struct choice choice = {.tag = CHOICE_SCHEDULE, .task = moved_before(history, step)};
    within->pending = pool_grow(history->pool, within->pending, &within->pending_capacity,
                                history->width, sizeof *within->pending);
    add_waiting(within, &choice, step, true);
    add_waiting(within, &choice, step, false);
    choice.pending = within->pending;
    return choice;
}

uint32_t within_cost(struct within *within, uint32_t step, uint32_t task) {
    struct choice choice = within_state(within, step);
    uint32_t option = 0;
    while (option < choice.count && choice.pending[option].task != task)
        option++;
    return switch_cost(&within->bound, &choice, option);
}

uint32_t within_run(struct within *within, uint32_t step) {
    const struct history *history = within->history;
    uint32_t task = history->steps[step].event.task;
    while (moved_before(history, step) == task) {
        struct choice choice = within_state(within, step);
        if (switch_is_free(&choice))
            break;
        step--;
    }
    return step;
}

static bool could_move(const struct history *history, uint32_t step, uint32_t task) {
    const struct waiting *waiting = history_waiting(history, step, task);
    return waiting != NULL && waiting->enabled;
}

/* Returns true if the task could have a message already, and another one is sent to it: a receive
 * does not race with the send of a message that it does not take. */
static bool sends_to(const struct event *event, const struct op *waiting) {
    return event->op.kind == OP_SEND && waiting->kind == OP_RECEIVE &&
           waiting->object == event->op.object;
}

/* Returns true if the step enables this task, which stands there after it, or could in another
 * order. */
static bool concerns(const struct history *history, uint32_t step, const struct waiting *after) {
    const struct event *event = &history->steps[step].event;
    const struct waiting *before = history_waiting(history, step, after->task);
    if (after->task == event->task)
        return false;
    if (before == NULL || (!before->enabled && after->enabled))
        return true;
    bool blocked = !before->enabled || !after->enabled;
    const struct op *op = history_op(history, after);
    return (blocked && dependent(&event->op, op)) || sends_to(event, op);
}

bool within_enables(const struct within *within, uint32_t step) {
    const struct history *history = within->history;
    for (uint32_t task = 0; task < history->width; task++) {
        const struct waiting *after = history_waiting(history, step + 1, task);
        if (after != NULL && concerns(history, step, after))
            return true;
    }
    return false;
}

void within_add_blocked(struct within *within) {
    struct history *history = within->history;
    uint32_t last = history->state_count - 1;
    for (uint32_t task = 0; last > 0 && task < history->width; task++) {
        const struct waiting *now = history_waiting(history, last, task);
        bool moved = history->steps[last - 1].event.task == task;
        if (now != NULL && !now->enabled && (moved || could_move(history, last - 1, task)))
            history_add_pending(history, task, history_op(history, now));
    }
}

bool within_join(const struct within *within, uint32_t step, struct race *race) {
    const struct history *history = within->history;
    const struct event *event = &history->steps[step].event;
    if (event->op.kind != OP_JOIN || event->op.timed)
        return false;
    *race = (struct race){.first = step, .second = step, .last = *event, .enabling = true};
    while (race->first-- > 0)
        if (history->steps[race->first].event.task == event->op.target)
            return within_counts(within, race);
    return false;
}

bool within_counts(const struct within *within, const struct race *race) {
    const struct history *history = within->history;
    if (!race->enabling)
        return true;
    if (race->second == NO_STEP)
        return false;
    uint32_t own = history->steps[race->second].previous;
    return own != NO_STEP ? own > race->first : history->born[race->last.task] > race->first + 1;
}

static bool after_one(const struct history *history, const uint32_t *steps, uint32_t count,
                      uint32_t step) {
    for (uint32_t i = 0; i < count; i++)
        if (happens_before(history, steps[i], step))
            return true;
    return false;
}

uint32_t within_initials(struct within *within, const struct race *race, uint32_t step) {
    const struct history *history = within->history;
    uint32_t count = 0;
    for (uint32_t i = step; race->second != NO_STEP && i < race->second; i++) {
        if (happens_before(history, step, i) || !happens_before(history, i, race->second) ||
            after_one(history, within->steps, count, i))
            continue;
        within->steps = pool_grow(history->pool, within->steps, &within->step_capacity,
                                  (size_t)count + 1, sizeof *within->steps);
        within->steps[count++] = i;
    }
    return count;
}
