/* wakeup.h - wakeup trees: what is still to be explored from a state, as branches of moves.
 *
 * A move is a task with what was chosen within its step (values, wake-ups, time-outs). A tree is the list
 * of its first moves, explored from left to right. */
#ifndef STRATEGIES_DPOR_WAKEUP_H
#define STRATEGIES_DPOR_WAKEUP_H

#include "strategies/dpor/history.h"

struct chosen {
    uint32_t value, count;
};

struct move {
    struct move *next;      /* sibling */
    struct move *child;     /* what must come after it; a leaf goes on as it likes */
    struct event event;     /* as it happened, or EVENT_AHEAD */
    struct chosen *choices; /* within the step; what comes after them is free */
    uint32_t choice_count;
    bool counted_on; /* another sequence was not planned, since this leads there */
};

/* It will be needed soon, and comes from memory meanwhile. */
static inline void move_expect(const struct move *move) {
    __builtin_prefetch(move);
    __builtin_prefetch((const char *)move + 64);
}

struct move *move_new(struct pool *pool, const struct event *event, const struct chosen *choices,
                      uint32_t choice_count);
struct move *move_ahead(struct pool *pool, uint32_t task, const struct op *op); /* not made yet */
void move_choose(struct pool *pool, struct move *move, const struct chosen *choices,
                 uint32_t choice_count);
void move_append(struct move **list, struct move *move);
/* With its later siblings, and all of their children. */
void moves_free(struct pool *pool, struct move *move);

/* Some steps of the history that must not be repeated in the order in which they came: those after the
 * first of a race that do not happen after it, then the second of the race, which has not happened
 * there. Up to equivalence: what depends on nothing before it may come first. */
struct element {
    const struct move *move; /* borrowed; of the last one, &sequence->last */
    uint32_t step;           /* NO_STEP: the second of the race */
    uint32_t task;
    uint32_t next; /* of the same task: number + 1, 0 for none */
};

struct sequence;

/* For strategies to which the order of two steps matters only if something later shows it: given what is
 * in the sequence, must the element `first` come before the element `second`; would a move in front of
 * all make a difference to the element `at`? */
struct sequence_order {
    bool (*leads)(const struct sequence *sequence, uint32_t first, uint32_t second);
    bool (*meets)(const struct sequence *sequence, const struct move *move, uint32_t at);
};

struct sequence {
    struct pool *pool;                  /* borrowed */
    const struct sequence_order *order; /* NULL: as in the history, and by dependent_events() */
    struct history *history;
    struct element *elements;
    struct element *later; /* steps that were left out: they are expected to come afterwards */
    uint32_t *places; /* of each task its first element that is left: number + 1, 0 for none; */
    uint32_t *ends;   /* its last one, if it has any; */
    uint32_t *first_steps; /* and the step of the first that is left: INT32_MAX for none */
    struct move last;
    const struct race *race; /* borrowed: where the last one comes from */
    bool last_is_free;       /* to choose */
    uint32_t from;           /* elements before it are taken out, or only looked back at */
    struct move
        *counted_on; /* after an insertion: what covers it, and without which it is what is left; */
    bool counted_first; /* that is among the first moves of the tree */
    uint32_t count, capacity;
    uint32_t later_count, later_capacity;
    uint32_t task_capacity; /* of what goes by tasks */
};

void sequence_init(struct sequence *sequence, struct pool *pool, struct history *history);
void sequence_begin(struct sequence *sequence);
void sequence_add(struct sequence *sequence, uint32_t step, const struct move *move);
void sequence_leave_out(struct sequence *sequence, uint32_t step, const struct move *move);
/* The second of the race, as it would be in place of the first; `move` is what it was, or NULL. What it
 * chose is its own affair there, unless it ended the execution by it. */
void sequence_end(struct sequence *sequence, const struct race *race, const struct move *move);

/* The same with an event that is known. */
void sequence_close(struct sequence *sequence, const struct race *race, const struct event *event);
/* It is to be what it was without its first elements, or begins `from` there. */
void sequence_drop(struct sequence *sequence, uint32_t count);
void sequence_look_from(struct sequence *sequence, uint32_t from);
/* Its elements have been put into another order. */
void sequence_sorted(struct sequence *sequence);

static inline const struct event *sequence_event(const struct sequence *sequence, uint32_t at) {
    return &sequence->elements[at].move->event;
}

/* It is not taken out: of each task it is always the first ones that are. */
static inline bool sequence_has(const struct sequence *sequence, uint32_t at) {
    return sequence->places[sequence->elements[at].task] - 1 <= at; /* none: more than any */
}

/* Nothing before it in the sequence must come before it. */
bool sequence_initial(const struct sequence *sequence, uint32_t at);

enum begins {
    BEGINS_NOT,
    BEGINS_FREE,   /* it is not in the sequence, and depends on nothing there */
    BEGINS_WITH,   /* it is the element `at`, which may come first */
    BEGINS_PARTLY, /* so would it, but its task had a choice, and may make another one here */
};

/* May the sequence begin with this move (is it a weak initial)? */
enum begins sequence_begins(const struct sequence *sequence, const struct move *move, uint32_t *at);

/* Adds it to the tree, unless something there covers it. Empties it. `cover` is the first to be asked, a
 * leaf of these moves or NULL, and then the one that covers it, if that is such a leaf. */
bool sequence_insert(struct sequence *sequence, struct move **tree, struct move **cover);

#endif
