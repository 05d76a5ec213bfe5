/* wakeup.c - see wakeup.h. The insertion is that of the JACM paper on source sets and wakeup
 * trees. */
#include "strategies/dpor/wakeup.h"

#include <string.h>

#include "event/dependence.h"
#include "strategies/dpor/predict.h"

/* --- sequences ------------------------------------------------------------------------------ */

void sequence_init(struct sequence *sequence, struct pool *pool, struct history *history) {
    *sequence = (struct sequence){.pool = pool, .history = history};
    share_init(&sequence->share, pool);
    labels_init(&sequence->labels, pool);
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

void sequence_add(struct sequence *sequence, uint32_t step, struct label *label) {
    uint32_t at = sequence->count++;
    sequence->elements = pool_grow(sequence->pool, sequence->elements, &sequence->capacity,
                                   (size_t)at + 1, sizeof *sequence->elements);
    uint32_t task = step != NO_STEP ? sequence->history->steps[step].event.task : label->event.task;
    sequence->elements[at] = (struct element){.label = label, .step = step, .task = task};
    place(sequence, at);
}

void sequence_leave_out(struct sequence *sequence, uint32_t step, struct label *label) {
    uint32_t at = sequence->later_count++;
    sequence->later = pool_grow(sequence->pool, sequence->later, &sequence->later_capacity,
                                (size_t)at + 1, sizeof *sequence->later);
    sequence->later[at] = (struct element){.label = label, .step = step, .task = label->event.task};
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
    sequence->last = (struct label){.event = *event};
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

void sequence_end(struct sequence *sequence, const struct race *race, const struct label *label) {
    struct history *history = sequence->history;
    sequence->last = (struct label){.event = history_predict(history, race)};
    sequence->race = race;
    if (depends_on_others(sequence))
        sequence->last.event.flags = EVENT_AHEAD;
    sequence->last_is_free = label == NULL || !chooses_alike(&sequence->last.event);
    if (!sequence->last_is_free) {
        sequence->last.choices = label->choices;
        sequence->last.choice_count = label->choice_count;
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
static bool same_choices(const struct label *happened, const struct move *move) {
    const struct label *label = move->label;
    if (label->choice_count > happened->choice_count ||
        (label->choice_count < happened->choice_count && move->child != NULL))
        return false;
    for (uint32_t i = 0; i < label->choice_count; i++)
        if (happened->choices[i].value != label->choices[i].value)
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
        return move->label->choice_count == 0 ? BEGINS_WITH : BEGINS_PARTLY;
    return same_choices(element->label, move) ? BEGINS_WITH : BEGINS_NOT;
}

/* The move is independent of all elements. If its task had a choice, did it choose the same
 * afterwards? */
static enum begins begins_free(const struct sequence *sequence, const struct move *move) {
    if (move->label->choice_count == 0)
        return BEGINS_FREE;
    for (uint32_t i = 0; i < sequence->later_count; i++) {
        if (sequence->later[i].task == move_task(move))
            return same_choices(sequence->later[i].label, move) ? BEGINS_FREE : BEGINS_NOT;
    }
    return BEGINS_PARTLY;
}

static bool meets(const struct sequence *sequence, const struct move *move, uint32_t at) {
    if (sequence->order != NULL)
        return sequence->order->meets(sequence, move, at);
    return dependent_events(move_event(move), sequence_event(sequence, at));
}

enum begins sequence_begins(const struct sequence *sequence, const struct move *move,
                            uint32_t *at) {
    uint32_t place = sequence->places[move_task(move)];
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

/* With observers a plan is compared with all that the events say, so it has the label of the step. */
static struct label *label_to_plan(struct sequence *sequence, struct label *label) {
    if (label == &sequence->last)
        return sequence->order == NULL
                   ? labels_keep(&sequence->labels, &label->event, label->choices,
                                 label->choice_count)
                   : label_new(sequence->pool, &label->event, label->choices, label->choice_count);
    return sequence->order == NULL ? labels_plan(&sequence->labels, label) : label;
}

struct move **sequence_plan(struct sequence *sequence, struct move **end, struct label *label) {
    *end = move_new(sequence->pool, label_to_plan(sequence, label));
    sequence->share.made++;
    return &(*end)->child;
}

static struct move *branch_of(struct sequence *sequence) {
    struct move *branch = NULL, **end = &branch;
    for (uint32_t i = sequence->from; i < sequence->count; i++)
        if (sequence_has(sequence, i))
            end = sequence_plan(sequence, end, sequence->elements[i].label);
    return branch;
}

/* Finds the first of these moves with which the sequence may begin, and takes it out. */
static struct move *descend(struct sequence *sequence, struct move *moves) {
    for (uint32_t place = 0; moves != NULL; moves = moves->next, place++) {
        uint32_t at = 0;
        __builtin_prefetch(moves->next);
        enum begins begins = sequence_begins(sequence, moves, &at);
        if (begins == BEGINS_WITH)
            take_out(sequence, at);
        if (begins == BEGINS_FREE)
            remove_later(sequence, move_task(moves));
        if (begins == BEGINS_WITH || begins == BEGINS_FREE) {
            way_take(&sequence->share, place, moves);
            return moves;
        }
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

/* Notes that the last move of the way covers the sequence. */
static void count_on_last(struct sequence *sequence, struct move **tree, struct move *last,
                          struct move **cover) {
    sequence->counted_first = sequence->share.way_count == 1 && last->child == NULL;
    if (sequence->counted_first)
        *cover = last;
    sequence->counted_on = last->counted_on ? last : way_last(&sequence->share, tree);
}

bool sequence_insert(struct sequence *sequence, struct move **tree, struct move **cover) {
    struct move *list = *tree;
    if (covers_again(sequence, *cover))
        return false;
    way_begin(&sequence->share);
    for (;;) {
        struct move *move = descend(sequence, list);
        if (move == NULL) {
            move_append(way_behind(&sequence->share, tree), branch_of(sequence));
            return true;
        }
        if (move->child == NULL || sequence->from == sequence->count) {
            count_on_last(sequence, tree, move, cover);
            return false;
        }
        list = move->child;
    }
}
