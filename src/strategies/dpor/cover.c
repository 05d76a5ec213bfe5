/* cover.c - see cover.h. */
#include "strategies/dpor/cover.h"

#include "event/dependence.h"

/* What is left of the sequence of a race. */
struct rest {
    const struct history *history;
    const struct race *race;
    uint32_t *from; /* of each task: its steps before this are not in the sequence, or taken out */
    bool last;      /* the second of the race is left */
};

/* The first step of the task that is left, whether in the sequence or not; NO_STEP for none. */
static uint32_t next_of(const struct rest *rest, uint32_t task) {
    const struct step *steps = rest->history->steps;
    uint32_t from = rest->from[task], step = rest->history->last[task];
    if (step <= from)
        return NO_STEP;
    for (step--; steps[step].previous != NO_STEP && steps[step].previous >= from;)
        step = steps[step].previous;
    return step;
}

static bool is_in(const struct rest *rest, uint32_t step) {
    return step != NO_STEP && !happens_before(rest->history, rest->race->first, step);
}

/* Nothing that is left happens before that step, which is. As for the second of the race: what came later
 * and is in the sequence does not depend on it, or it would happen after the first, too. */
static bool is_initial(const struct rest *rest, uint32_t step) {
    return history_is_first(rest->history, step, rest->from);
}

static bool is_idle_step(const struct rest *rest, uint32_t step) {
    return rest->history->steps[step].event.flags & EVENT_IDLE;
}

static bool is_independent(const struct rest *rest, const struct event *event) {
    return !(rest->last && dependent_events(event, &rest->race->last)) &&
           history_is_free(rest->history, event, rest->race->first, rest->from);
}

/* Surely begins with that move; then without it. */
static bool begin_with(struct rest *rest, const struct move *move) {
    uint32_t task = move->event.task, step = next_of(rest, task);
    bool is_step = is_in(rest, step);
    bool is_last = !is_step && rest->last && task == rest->race->last.task;
    bool begins = is_step   ? is_initial(rest, step) && !is_idle_step(rest, step)
                  : is_last ? rest->race->second != NO_STEP && is_initial(rest, rest->race->second)
                            : is_independent(rest, &move->event);
    if (!begins || move->choice_count > 0)
        return false;
    if (is_step)
        rest->from[task] = step + 1;
    if (is_last)
        rest->last = false;
    return true;
}

/* --- by whom -------------------------------------------------------------------------------- */

static bool sleepers_cover(const struct dpor *self, struct rest *rest) {
    struct sleepers sleepers = sleepers_of(self, rest->race->first);
    const struct move *move;
    while ((move = next_sleeper(&sleepers)) != NULL)
        if (begin_with(rest, move))
            return true;
    return false;
}

/* A leaf of the tree is what the sequence may begin with, up to its end. */
static bool tree_covers(struct frame *frame, struct rest *rest) {
    struct move *move = frame->tree->next;
    if (frame->cover != NULL && begin_with(rest, frame->cover)) {
        frame->cover->counted_on = true;
        return true;
    }
    while (move != NULL) {
        __builtin_prefetch(move->next);
        if (!begin_with(rest, move)) {
            move = move->next;
        } else if (move->child != NULL) {
            move = move->child;
        } else {
            move->counted_on = true;
            return true;
        }
    }
    return false;
}

/* --- where it is certain -------------------------------------------------------------------- */

/* In place of the first, the second would have been dependent on the same others. */
static bool comes_out_alike(struct history *history, const struct race *race) {
    uint32_t flags = EVENT_FATAL | EVENT_IDLE | EVENT_FAILED | EVENT_TIMED_OUT | EVENT_AHEAD;
    const struct event *last = &race->last;
    if (race->second == NO_STEP) /* nobody depends on less than what may happen */
        return true;
    if ((history->steps[race->second].event.flags | last->flags) & (EVENT_FATAL | EVENT_IDLE))
        return false;
    switch ((enum op_kind)last->op.kind) {
    case OP_LOAD:
    case OP_STORE:
    case OP_RMW: return (last->flags & flags) == 0;
    case OP_CAS: return false; /* what is in the sequence may decide, too */
    default: {
        struct event predicted = history_predict(history, race);
        return predicted.op.kind == last->op.kind && !((predicted.flags ^ last->flags) & flags);
    }
    }
}

static struct rest all_of(struct dpor *self, const struct race *race) {
    struct history *history = &self->history;
    self->rest_from = pool_grow(self->pool, self->rest_from, &self->rest_capacity, history->width,
                                sizeof *self->rest_from);
    for (uint32_t task = 0; task < history->width; task++)
        self->rest_from[task] = race->first;
    self->rest_from[history->steps[race->first].event.task] = INT32_MAX;
    return (struct rest){history, race, self->rest_from, true};
}

bool surely_covered(struct dpor *self, struct race *race) {
    if (race->alone || race->unsure || self->choice_count > 0 ||
        !comes_out_alike(&self->history, race))
        return false;
    struct rest rest = all_of(self, race);
    if (!sleepers_cover(self, &rest) && !tree_covers(&self->frames[race->first], &rest))
        return false;
    race->extent = NO_STEP;
    return true;
}
