/* wakeup.c - see wakeup.h; the insertion is that of the JACM paper on source sets and wakeup trees. */
#include "strategies/dpor/wakeup.h"

#include <string.h>

#include "event/dependence.h"

/* --- moves ---------------------------------------------------------------------------------- */

struct move *move_new(struct pool *pool, const struct event *event, const struct chosen *choices,
                      uint32_t choice_count) {
    struct move *move = pool_alloc(pool, sizeof *move);
    move->event = *event;
    move_choose(pool, move, choices, choice_count);
    return move;
}

void move_choose(struct pool *pool, struct move *move, const struct chosen *choices,
                 uint32_t choice_count) {
    if (choice_count != move->choice_count) {
        pool_free(pool, move->choices, move->choice_count * sizeof *choices);
        move->choices = choice_count ? pool_alloc(pool, choice_count * sizeof *choices) : NULL;
    }
    if (choice_count > 0)
        memcpy(move->choices, choices, choice_count * sizeof *choices);
    move->choice_count = choice_count;
}

void move_append(struct move **list, struct move *move) {
    while (*list != NULL)
        list = &(*list)->next;
    *list = move;
}

/* Depth first; a child's list is put in front of what is left, so no stack is needed. */
void moves_free(struct pool *pool, struct move *move) {
    while (move != NULL) {
        struct move *rest = move->next;
        if (move->child != NULL) {
            move_append(&move->child, rest);
            rest = move->child;
        }
        pool_free(pool, move->choices, move->choice_count * sizeof *move->choices);
        pool_free(pool, move, sizeof *move);
        move = rest;
    }
}

/* --- sequences ------------------------------------------------------------------------------ */

void sequence_init(struct sequence *sequence, struct pool *pool, struct history *history) {
    *sequence = (struct sequence){.pool = pool, .history = history};
}

void sequence_begin(struct sequence *sequence) {
    sequence->count = 0;
}

void sequence_add(struct sequence *sequence, uint32_t step, const struct chosen *choices,
                  uint32_t choice_count) {
    uint32_t at = sequence->count, a = sequence->capacity, b = a;
    sequence->choices =
        pool_grow(sequence->pool, sequence->choices, &a, at + 1, sizeof *sequence->choices);
    sequence->choice_counts = pool_grow(sequence->pool, sequence->choice_counts, &b, at + 1,
                                        sizeof *sequence->choice_counts);
    sequence->steps = pool_grow(sequence->pool, sequence->steps, &sequence->capacity, at + 1,
                                sizeof *sequence->steps);
    sequence->steps[at] = step;
    sequence->choices[at] = choices;
    sequence->choice_counts[at] = choice_count;
    sequence->count++;
}

const struct event *sequence_event(const struct sequence *sequence, uint32_t at) {
    uint32_t step = sequence->steps[at];
    return step == NO_STEP ? &sequence->last : &sequence->history->steps[step].event;
}

/* What comes of it depends on somebody in the sequence, too (stores of one value commute). */
static bool depends_on_others(const struct sequence *sequence) {
    for (uint32_t i = 0; i < sequence->count; i++) {
        const struct event *event = sequence_event(sequence, i);
        if (event->task != sequence->last.task && sequence->last.op.kind == OP_CAS &&
            dependent_events(event, &sequence->last))
            return true;
    }
    return false;
}

void sequence_end(struct sequence *sequence, const struct race *race, const struct chosen *choices,
                  uint32_t choice_count) {
    struct history *history = sequence->history;
    sequence->last = history_predict(history, race);
    if (depends_on_others(sequence))
        sequence->last.flags = EVENT_AHEAD;
    sequence->known = pool_grow(sequence->pool, sequence->known, &sequence->known_capacity,
                                history->width, sizeof *sequence->known);
    memset(sequence->known, 0, history->width * sizeof *sequence->known);
    for (uint32_t i = 0; i < sequence->count; i++) {
        if (!history_leads_to(history, sequence->steps[i], race, &sequence->last))
            continue;
        const uint32_t *clock = history->clocks + (size_t)sequence->steps[i] * history->width;
        for (uint32_t task = 0; task < history->width; task++)
            if (clock[task] > sequence->known[task])
                sequence->known[task] = clock[task];
    }
    sequence->last_is_free = !(sequence->last.flags & EVENT_FATAL);
    if (sequence->last_is_free)
        sequence_add(sequence, NO_STEP, NULL, 0);
    else
        sequence_add(sequence, NO_STEP, choices, choice_count);
}

static bool comes_before(const struct sequence *sequence, uint32_t first, uint32_t second) {
    uint32_t a = sequence->steps[first], b = sequence->steps[second];
    if (b != NO_STEP)
        return happens_before(sequence->history, a, b);
    return sequence->known[sequence->history->steps[a].event.task] > a;
}

bool sequence_initial(const struct sequence *sequence, uint32_t at) {
    for (uint32_t i = 0; i < at; i++)
        if (comes_before(sequence, i, at))
            return false;
    return true;
}

bool sequence_is_free(const struct sequence *sequence, uint32_t at) {
    return sequence->steps[at] == NO_STEP && sequence->last_is_free;
}

/* The same move. For the last one nothing has been chosen yet: any will do. A leaf stands for all that
 * begin like it. */
static bool same_choices(const struct sequence *sequence, uint32_t at, const struct move *move) {
    uint32_t count = sequence->choice_counts[at];
    if (sequence_is_free(sequence, at))
        return true;
    if (move->choice_count > count || (move->choice_count < count && move->child != NULL))
        return false;
    for (uint32_t i = 0; i < move->choice_count; i++)
        if (sequence->choices[at][i].value != move->choices[i].value)
            return false;
    return true;
}

enum begins sequence_begins(const struct sequence *sequence, const struct move *move,
                            uint32_t *at) {
    for (uint32_t i = 0; i < sequence->count; i++)
        if (sequence_event(sequence, i)->task == move->event.task) {
            *at = i;
            return same_choices(sequence, i, move) && sequence_initial(sequence, i) ? BEGINS_WITH
                                                                                    : BEGINS_NOT;
        }
    for (uint32_t i = 0; i < sequence->count; i++)
        if (dependent_events(&move->event, sequence_event(sequence, i)))
            return BEGINS_NOT;
    return BEGINS_FREE;
}

static void sequence_remove(struct sequence *sequence, uint32_t at) {
    sequence->count--;
    for (uint32_t i = at; i < sequence->count; i++) {
        sequence->steps[i] = sequence->steps[i + 1];
        sequence->choices[i] = sequence->choices[i + 1];
        sequence->choice_counts[i] = sequence->choice_counts[i + 1];
    }
}

static struct move *branch_of(struct sequence *sequence) {
    struct move *branch = NULL, **end = &branch;
    for (uint32_t i = 0; i < sequence->count; i++) {
        *end = move_new(sequence->pool, sequence_event(sequence, i), sequence->choices[i],
                        sequence->choice_counts[i]);
        end = &(*end)->child;
    }
    return branch;
}

/* The first of these moves with which the sequence may begin; it is taken out. One of several that its
 * task could choose does not do, unless the sequence has chosen it. */
static struct move *descend(struct sequence *sequence, struct move *moves) {
    for (; moves != NULL; moves = moves->next) {
        uint32_t at = 0;
        enum begins begins = sequence_begins(sequence, moves, &at);
        if (begins == BEGINS_NOT)
            continue;
        if (moves->choice_count > 0 && (begins == BEGINS_FREE || sequence_is_free(sequence, at)))
            continue;
        if (begins == BEGINS_WITH)
            sequence_remove(sequence, at);
        return moves;
    }
    return NULL;
}

bool sequence_insert(struct sequence *sequence, struct move **tree) {
    for (;;) {
        struct move *move = descend(sequence, *tree);
        if (move == NULL) {
            move_append(tree, branch_of(sequence));
            return true;
        }
        if (move->child == NULL || sequence->count == 0)
            return false;
        tree = &move->child;
    }
}
