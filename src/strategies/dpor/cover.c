/* cover.c - see cover.h. */
#include "strategies/dpor/cover.h"

#include "event/dependence.h"
#include "strategies/dpor/predict.h"

/* What is left of the sequence of a race after some moves were taken out of its front. */
struct rest {
    const struct history *history;
    struct race *race;
    /* for each task, the first of its steps that may be left; earlier ones are taken out, or not in
     * the sequence */
    uint32_t *from;
    /* the first component of the rows of clocks that says which steps happen after race->first */
    const uint32_t *column;
    /* the moves found may begin the sequence whatever comes after this step; NO_STEP: not known */
    uint32_t proof;
    bool last;    /* the second step of the race is left */
    bool waits;   /* the second step is left, and steps that are left must come before it */
    bool refused; /* the second step was asked to come first, and may not, as far as is known */
    bool doubt;   /* a move with choices might begin the sequence */
};

static inline bool is_in(const struct rest *rest, uint32_t step) {
    return step != NO_STEP &&
           rest->column[(size_t)step * rest->history->width] <= rest->race->first;
}

/* Returns true if no step that is left happens before that step, which is left. The second step of
 * the race may be asked as well: a later step of the sequence does not depend on it, or that step
 * would happen after the first step of the race. */
static inline bool is_initial(const struct rest *rest, uint32_t step) {
    return history_is_first(rest->history, step, rest->from);
}

static inline bool is_idle_step(const struct rest *rest, uint32_t step) {
    return rest->history->steps[step].event.flags & EVENT_IDLE;
}

static inline bool is_independent(const struct rest *rest, const struct event *event) {
    return !(rest->last && dependent_events(event, &rest->race->last)) &&
           history_is_free(rest->history, event, rest->race->first, rest->from);
}

/* Returns true if the second step of the race may come first. If not, it need not be asked again
 * until a step is taken out. */
static inline bool last_begins(struct rest *rest) {
    if (rest->waits)
        return false;
    bool begins = rest->race->second != NO_STEP && is_initial(rest, rest->race->second);
    rest->waits = !begins;
    rest->refused |= !begins;
    return begins;
}

/* Takes the move out of the front of the sequence. Returns false if it is not certain that the
 * sequence may begin with it. Inline, since most moves are refused at once. */
static inline __attribute__((always_inline)) bool begin_with(struct rest *rest,
                                                             const struct move *move) {
    uint32_t task = move_task(move), step = history_next(rest->history, task, rest->from[task]);
    bool is_step = is_in(rest, step);
    bool is_last = !is_step && rest->last && task == rest->race->last.task;
    bool begins = is_step   ? is_initial(rest, step) && !is_idle_step(rest, step)
                  : is_last ? last_begins(rest)
                            : is_independent(rest, move_event(move));
    if (!begins)
        return false;
    if (__builtin_expect(move->label->choice_count > 0, 0)) {
        rest->doubt = true;
        return false;
    }
    uint32_t needs = is_step ? step : is_last ? rest->race->second : NO_STEP;
    if (is_step)
        rest->from[task] = step + 1;
    rest->waits &= !is_step;
    rest->last &= !is_last;
    if (needs > rest->proof)
        rest->proof = needs;
    return true;
}

static bool is_left(const struct rest *rest, uint32_t step) {
    return step >= rest->from[rest->history->steps[step].event.task] && is_in(rest, step);
}

/* Returns true if steps are left besides the second step of the race. */
static bool has_steps(const struct rest *rest) {
    for (uint32_t i = rest->race->first + 1; i < rest->history->count; i++)
        if (is_left(rest, i))
            return true;
    return false;
}

static bool is_empty(const struct rest *rest) {
    return !rest->last && !has_steps(rest);
}

/* Returns true if the operations that depend on this one are the same whatever comes of it. */
static bool is_access(const struct op *op) {
    return op->kind == OP_LOAD || op->kind == OP_STORE || op->kind == OP_RMW;
}

/* --- by whom -------------------------------------------------------------------------------- */

/* Notes how long the answer holds. As long as the race is there, the moves that sleep before it
 * stay, and so do the moves planned there. If the answer rests on steps alone, it holds whatever
 * comes after those. */
static bool is_covered(struct rest *rest) {
    if (is_access(&rest->race->last.op))
        rest->race->proof = rest->proof;
    return true;
}

static bool sleeper_covers(struct rest *rest, const struct move *move) {
    if (!begin_with(rest, move))
        return false;
    rest->race->sleeper = move;
    return is_covered(rest);
}

static bool sleepers_cover(const struct dpor *self, struct rest *rest) {
    struct sleepers sleepers = sleepers_of(self, rest->race->first);
    const struct move *move = rest->race->sleeper;
    if (move != NULL && sleeper_covers(rest, move))
        return true;
    while ((move = next_sleeper(&sleepers)) != NULL)
        if (sleeper_covers(rest, move))
            return true;
    return false;
}

/* Notes that a first move of the tree leads to the sequence, of which `rest` is left without the
 * move. */
static void count_on_first(struct dpor *self, struct frame *frame, struct move *move,
                           const struct rest *rest) {
    struct event event;
    bool more = !self->waits || has_steps(rest), one = !more && rest->last;
    if (one)
        event = history_predict(&self->history, rest->race);
    count_on(self, frame, move, !more && !one, one ? &event : NULL);
}

/* Notes the same for the last move of a way. */
static void count_on_last(struct share *share, struct frame *frame, const struct move *last) {
    if (!last->counted_on)
        way_last(share, &frame->tree->next)->counted_on = true;
}

/* Returns true if the sequence may begin with a way in the tree that ends in a leaf or has all of
 * the sequence. Otherwise the rest of the sequence belongs behind the way. */
static bool tree_covers(struct dpor *self, struct frame *frame, struct rest *rest,
                        struct share *share) {
    struct move *move = frame->tree->next, *above = NULL;
    uint32_t place = 0;
    way_begin(share);
    if (frame->cover != NULL && begin_with(rest, frame->cover)) {
        count_on_first(self, frame, frame->cover, rest);
        return is_covered(rest);
    }
    while (move != NULL) {
        __builtin_prefetch(move->next);
        __builtin_prefetch(move->child);
        if (!begin_with(rest, move)) {
            move = move->next;
            place++;
            continue;
        }
        way_take(share, place, move);
        if (move->child == NULL) {
            if (above == NULL) {
                count_on_first(self, frame, move, rest);
                frame->cover = move;
            } else {
                count_on_last(share, frame, move);
            }
            return is_covered(rest);
        }
        above = move;
        move = move->child;
        place = 0;
    }
    if (above == NULL || !is_empty(rest))
        return false;
    count_on_last(share, frame, above);
    return true;
}

/* --- what is left --------------------------------------------------------------------------- */

/* Returns true if every move that was refused as a beginning was refused for certain: no step is
 * idle, none depends on everything, and a step that must come before the second step of the race is
 * still left. */
static bool is_certain(const struct rest *rest) {
    const struct history *history = rest->history;
    const struct race *race = rest->race;
    bool refused = !rest->refused;
    if (rest->doubt || race->second == NO_STEP || history->last_of_all != 0)
        return false;
    for (uint32_t i = race->first + 1; i < history->count; i++) {
        if (is_idle_step(rest, i))
            return false;
        refused = refused || (is_left(rest, i) && history_leads_to(history, i, race, &race->last));
    }
    return refused;
}

static struct move *branch_of(struct dpor *self, const struct rest *rest) {
    struct sequence *sequence = &self->sequence;
    struct move *branch = NULL, **end = &branch;
    for (uint32_t i = rest->race->first + 1; i < rest->history->count; i++)
        if (is_left(rest, i))
            end = sequence_plan(sequence, end, move_of(self, i)->label);
    sequence->last = (struct label){.event = history_predict(&self->history, rest->race)};
    if (rest->last)
        sequence_plan(sequence, end, &sequence->last);
    return branch;
}

/* --- where it is certain -------------------------------------------------------------------- */

/* Returns true if the second step, in place of the first, would depend on the same other steps. */
static bool comes_out_alike(struct history *history, const struct race *race) {
    uint32_t flags = EVENT_FATAL | EVENT_IDLE | EVENT_FAILED | EVENT_TIMED_OUT | EVENT_AHEAD;
    const struct event *last = &race->last;
    if (race->second == NO_STEP) /* a pending operation depends on all that it might */
        return true;
    if ((history->steps[race->second].event.flags | last->flags) & (EVENT_FATAL | EVENT_IDLE))
        return false;
    if (is_access(&last->op))
        return (last->flags & flags) == 0;
    if (last->op.kind == OP_CAS) /* steps of the sequence may decide whether it succeeds */
        return false;
    struct event predicted = history_predict(history, race);
    return predicted.op.kind == last->op.kind && predicted.result == last->result &&
           !((predicted.flags ^ last->flags) & flags);
}

static struct rest all_of(struct dpor *self, struct race *race) {
    struct history *history = &self->history;
    self->rest_from = pool_grow(self->pool, self->rest_from, &self->rest_capacity, history->width,
                                sizeof *self->rest_from);
    uint32_t task = history->steps[race->first].event.task;
    history_lasts(history, race->first, self->rest_from);
    self->rest_from[task] = history->last[task];
    return (struct rest){.history = history,
                         .race = race,
                         .from = self->rest_from,
                         .column = history->clocks + task,
                         .last = true};
}

enum cover cover_race(struct dpor *self, struct race *race) {
    struct share *share = &self->sequence.share;
    struct frame *frame = &self->frames[race->first];
    race->extent = race->proof = NO_STEP;
    if (race->alone || race->unsure || self->choice_count > 0 ||
        !comes_out_alike(&self->history, race))
        return COVER_UNKNOWN;
    struct rest rest = all_of(self, race);
    if (sleepers_cover(self, &rest) || tree_covers(self, frame, &rest, share))
        return COVERED;
    if (!is_certain(&rest))
        return COVER_UNKNOWN;
    move_append(way_behind(share, &frame->tree->next), branch_of(self, &rest));
    return COVER_ADDED;
}
