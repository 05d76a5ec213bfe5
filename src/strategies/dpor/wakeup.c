/* wakeup.c - see wakeup.h. The insertion is that of the JACM paper on source sets and wakeup
 * trees. */
#include "strategies/dpor/wakeup.h"

#include <string.h>

#include "event/dependence.h"
#include "strategies/dpor/predict.h"

/* --- moves ---------------------------------------------------------------------------------- */

struct move *move_new(struct pool *pool, const struct event *event, const struct chosen *choices,
                      uint32_t choice_count) {
    struct move *move = pool_alloc(pool, sizeof *move);
    move->event = *event;
    move_choose(pool, move, choices, choice_count);
    return move;
}

struct move *move_ahead(struct pool *pool, uint32_t task, const struct op *op) {
    struct move *move = pool_alloc(pool, sizeof *move);
    move->event.op = *op;
    move->event.task = task;
    move->event.flags = EVENT_AHEAD;
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

/* Frees the moves depth first. The children of a move are put in front of what is left, so no stack
 * is needed. */
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

static uint32_t *grow_by_task(struct sequence *sequence, uint32_t *items, uint32_t *capacity) {
    *capacity = sequence->task_capacity;
    return pool_grow(sequence->pool, items, capacity, sequence->history->width, sizeof *items);
}

static void clear_places(struct sequence *sequence) {
    uint32_t width = sequence->history->width, capacity;
    if (width > sequence->task_capacity) {
        sequence->places = grow_by_task(sequence, sequence->places, &capacity);
        sequence->ends = grow_by_task(sequence, sequence->ends, &capacity);
        sequence->first_steps = grow_by_task(sequence, sequence->first_steps, &capacity);
        sequence->task_capacity = capacity;
    }
    for (uint32_t task = 0; task < width; task++) {
        sequence->places[task] = 0;
        sequence->first_steps[task] = INT32_MAX;
    }
}

/* Makes an element the first one of its task that is left. `place` is its number + 1, or 0 for
 * none. */
static void begin_at(struct sequence *sequence, uint32_t task, uint32_t place) {
    uint32_t step = place != 0 ? sequence->elements[place - 1].step : NO_STEP;
    sequence->places[task] = place;
    sequence->first_steps[task] = step != NO_STEP ? step : INT32_MAX;
}

static void place(struct sequence *sequence, uint32_t at) {
    uint32_t task = sequence->elements[at].task;
    if (sequence->places[task] == 0)
        begin_at(sequence, task, at + 1);
    else
        sequence->elements[sequence->ends[task] - 1].next = at + 1;
    sequence->elements[at].next = 0;
    sequence->ends[task] = at + 1;
}

void sequence_begin(struct sequence *sequence) {
    sequence->count = sequence->later_count = sequence->from = 0;
    clear_places(sequence);
}

void sequence_add(struct sequence *sequence, uint32_t step, const struct move *move) {
    uint32_t at = sequence->count++;
    sequence->elements = pool_grow(sequence->pool, sequence->elements, &sequence->capacity,
                                   (size_t)at + 1, sizeof *sequence->elements);
    uint32_t task = step != NO_STEP ? sequence->history->steps[step].event.task : move->event.task;
    sequence->elements[at] = (struct element){.move = move, .step = step, .task = task};
    place(sequence, at);
}

void sequence_leave_out(struct sequence *sequence, uint32_t step, const struct move *move) {
    uint32_t at = sequence->later_count++;
    sequence->later = pool_grow(sequence->pool, sequence->later, &sequence->later_capacity,
                                (size_t)at + 1, sizeof *sequence->later);
    sequence->later[at] = (struct element){.move = move, .step = step, .task = move->event.task};
}

/* Returns true if what comes of the last element depends on other tasks in the sequence, too. */
static bool depends_on_others(const struct sequence *sequence) {
    const struct event *last = &sequence->last.event;
    for (uint32_t i = 0; last->op.kind == OP_CAS && i < sequence->count; i++) {
        const struct event *event = sequence_event(sequence, i);
        if (event->task != last->task && dependent_events(event, last))
            return true;
    }
    return false;
}

void sequence_close(struct sequence *sequence, const struct race *race, const struct event *event) {
    sequence->last = (struct move){.event = *event};
    sequence->race = race;
    sequence->last_is_free = !(event->flags & EVENT_FATAL);
    sequence_add(sequence, NO_STEP, &sequence->last);
}

/* Returns true if the choices of the last element are known: an end of the execution is repeated
 * as it was; a machine makes sure that its message has the same fate, or reacts to the same
 * message. */
static bool chooses_alike(const struct event *event) {
    if (event->flags & EVENT_FATAL)
        return true;
    bool receives = op_receives(event->op.kind) && !(event->flags & EVENT_AHEAD);
    return (event->op.kind == OP_SEND || receives) && (event->op.message_flags & MESSAGE_MACHINE);
}

void sequence_end(struct sequence *sequence, const struct race *race, const struct move *move) {
    struct history *history = sequence->history;
    sequence->last = (struct move){.event = history_predict(history, race)};
    sequence->race = race;
    if (depends_on_others(sequence))
        sequence->last.event.flags = EVENT_AHEAD;
    sequence->last_is_free = move == NULL || !chooses_alike(&sequence->last.event);
    if (!sequence->last_is_free) {
        sequence->last.choices = move->choices;
        sequence->last.choice_count = move->choice_count;
    }
    sequence_add(sequence, NO_STEP, &sequence->last);
}

/* Before the last element only direct reasons count. An element with an indirect reason happens
 * before one with a direct reason, and that one is not initial without it. */
static bool comes_before(const struct sequence *sequence, uint32_t first, uint32_t second) {
    if (sequence->order != NULL)
        return sequence->order->leads(sequence, first, second);
    return history_leads_to(sequence->history, sequence->elements[first].step, sequence->race,
                            &sequence->last.event);
}

bool sequence_initial(const struct sequence *sequence, uint32_t at) {
    const struct element *element = &sequence->elements[at];
    if (sequence->places[element->task] != at + 1)
        return false;
    if (at == sequence->from)
        return true;
    if (element->step != NO_STEP && sequence->order == NULL)
        return history_is_first(sequence->history, element->step, sequence->first_steps);
    for (uint32_t i = sequence->from; i < at; i++)
        if (comes_before(sequence, i, at) && sequence_has(sequence, i))
            return false;
    return true;
}

/* Returns true if the choices are the same. A leaf stands for all choices that begin like its
 * own. */
static bool same_choices(const struct move *happened, const struct move *move) {
    if (move->choice_count > happened->choice_count ||
        (move->choice_count < happened->choice_count && move->child != NULL))
        return false;
    for (uint32_t i = 0; i < move->choice_count; i++)
        if (happened->choices[i].value != move->choices[i].value)
            return false;
    return true;
}

static enum begins begins_with(const struct sequence *sequence, const struct move *move,
                               uint32_t at) {
    const struct element *element = &sequence->elements[at];
    bool is_free = element->step == NO_STEP && sequence->last_is_free;
    if (!sequence_initial(sequence, at))
        return BEGINS_NOT;
    if (is_free)
        return move->choice_count == 0 ? BEGINS_WITH : BEGINS_PARTLY;
    return same_choices(element->move, move) ? BEGINS_WITH : BEGINS_NOT;
}

/* The move is independent of all elements. If its task had a choice, did it choose the same
 * afterwards? */
static enum begins begins_free(const struct sequence *sequence, const struct move *move) {
    if (move->choice_count == 0)
        return BEGINS_FREE;
    for (uint32_t i = 0; i < sequence->later_count; i++) {
        if (sequence->later[i].task == move->event.task)
            return same_choices(sequence->later[i].move, move) ? BEGINS_FREE : BEGINS_NOT;
    }
    return BEGINS_PARTLY;
}

static bool meets(const struct sequence *sequence, const struct move *move, uint32_t at) {
    if (sequence->order != NULL)
        return sequence->order->meets(sequence, move, at);
    return dependent_events(&move->event, sequence_event(sequence, at));
}

enum begins sequence_begins(const struct sequence *sequence, const struct move *move,
                            uint32_t *at) {
    uint32_t place = sequence->places[move->event.task];
    if (place != 0) {
        *at = place - 1;
        return begins_with(sequence, move, *at);
    }
    /* from the last one, for whose sake the sequence was made */
    for (uint32_t i = sequence->count; i-- > sequence->from;)
        if (meets(sequence, move, i) && sequence_has(sequence, i))
            return BEGINS_NOT;
    return begins_free(sequence, move);
}

void sequence_sorted(struct sequence *sequence) {
    clear_places(sequence);
    for (uint32_t i = sequence->from; i < sequence->count; i++)
        place(sequence, i);
}

void sequence_drop(struct sequence *sequence, uint32_t count) {
    sequence->count -= count;
    memmove(sequence->elements, sequence->elements + count,
            sequence->count * sizeof *sequence->elements);
    sequence->from = 0;
    sequence_sorted(sequence);
}

void sequence_look_from(struct sequence *sequence, uint32_t from) {
    sequence->from = from;
    sequence_sorted(sequence);
}

/* The element must be the first of its task. */
static void take_out(struct sequence *sequence, uint32_t at) {
    begin_at(sequence, sequence->elements[at].task, sequence->elements[at].next);
    while (sequence->from < sequence->count && !sequence_has(sequence, sequence->from))
        sequence->from++;
}

/* Removes the next step of the task from the steps that were left out: it is taken now. */
static void remove_later(struct sequence *sequence, uint32_t task) {
    uint32_t at = 0;
    while (at < sequence->later_count && sequence->later[at].task != task)
        at++;
    if (at == sequence->later_count)
        return;
    for (sequence->later_count--; at < sequence->later_count; at++)
        sequence->later[at] = sequence->later[at + 1];
}

static struct move *branch_of(struct sequence *sequence) {
    struct move *branch = NULL, **end = &branch;
    for (uint32_t i = sequence->from; i < sequence->count; i++) {
        const struct move *move = sequence->elements[i].move;
        if (!sequence_has(sequence, i))
            continue;
        *end = move_new(sequence->pool, &move->event, move->choices, move->choice_count);
        end = &(*end)->child;
    }
    return branch;
}

/* Finds the first of these moves with which the sequence may begin, and takes it out. */
static struct move *descend(struct sequence *sequence, struct move *moves) {
    for (; moves != NULL; moves = moves->next) {
        uint32_t at = 0;
        __builtin_prefetch(moves->next);
        enum begins begins = sequence_begins(sequence, moves, &at);
        if (begins == BEGINS_WITH)
            take_out(sequence, at);
        if (begins == BEGINS_FREE)
            remove_later(sequence, moves->event.task);
        if (begins == BEGINS_WITH || begins == BEGINS_FREE)
            return moves;
    }
    return NULL;
}

/* The move that has covered one sequence often covers the next. */
static bool covers_again(struct sequence *sequence, struct move *cover) {
    uint32_t at;
    if (cover == NULL)
        return false;
    enum begins begins = sequence_begins(sequence, cover, &at);
    if (begins == BEGINS_WITH)
        take_out(sequence, at);
    sequence->counted_on = cover;
    sequence->counted_first = true;
    return begins == BEGINS_WITH || begins == BEGINS_FREE;
}

bool sequence_insert(struct sequence *sequence, struct move **tree, struct move **cover) {
    struct move **top = tree;
    if (covers_again(sequence, *cover))
        return false;
    for (;;) {
        struct move *move = descend(sequence, *tree);
        if (move == NULL) {
            move_append(tree, branch_of(sequence));
            return true;
        }
        if (move->child == NULL || sequence->from == sequence->count) {
            sequence->counted_on = move;
            sequence->counted_first = tree == top && move->child == NULL;
            if (sequence->counted_first)
                *cover = move;
            return false;
        }
        tree = &move->child;
    }
}
