/* wakeup.h - wakeup trees: what is still to be explored from a state, as branches of moves, from left
 * to right. */
#ifndef STRATEGIES_DPOR_WAKEUP_H
#define STRATEGIES_DPOR_WAKEUP_H

#include "strategies/dpor/history.h"
#include "strategies/dpor/labels.h"
#include "strategies/dpor/share.h"

/* One element of a sequence. A sequence consists of the steps of the history after the first step
 * of a race that do not happen after it, and then the second step of the race, which has not
 * happened in their place. The order of elements may change up to equivalence: an element that
 * depends on no earlier one may come first. */
struct element {
    struct label *label; /* borrowed; of the last element: &sequence->last */
    uint32_t step;       /* number of the step; NO_STEP: the second step of the race */
    uint32_t task;
    uint32_t next; /* the next element of the same task: number + 1, 0 for none */
};

struct sequence;

/* For strategies to which the order of two steps matters only if something later shows it. leads()
 * returns true if, given the whole sequence, the element `first` must come before the element
 * `second`. meets() returns true if a move in front of the sequence would make a difference to the
 * element `at`. */
struct sequence_order {
    bool (*leads)(const struct sequence *sequence, uint32_t first, uint32_t second);
    bool (*meets)(const struct sequence *sequence, const struct move *move, uint32_t at);
};

struct sequence {
    struct pool *pool;                  /* borrowed */
    const struct sequence_order *order; /* NULL: the order of the history, and dependent_events() */
    struct history *history;
    struct element *elements;
    struct element *later; /* steps that were left out, and are expected to come afterwards */
    /* for each task, its first element that is left: number + 1, 0 for none */
    uint32_t *places;
    uint32_t *ends; /* for each task that has elements, its last one: number + 1 */
    /* for each task, the step of its first element that is left; INT32_MAX: none */
    uint32_t *first_steps;
    struct label last;
    const struct race *race; /* borrowed: the race that the last element comes from */
    bool last_is_free;       /* the last element is free to choose within its step */
    uint32_t from;           /* elements before this one are taken out, or only looked back at */
    struct share share;      /* of the trees that sequences are inserted into */
    struct labels labels;    /* of the moves that are planned there */
    /* after an insertion: the move that covers the sequence, and is taken out of it */
    struct move *counted_on;
    bool counted_first; /* `counted_on` is among the first moves of the tree */
    uint32_t count, capacity;
    uint32_t later_count, later_capacity;
    uint32_t task_capacity; /* capacity of the arrays that have an entry for each task */
};

void sequence_init(struct sequence *sequence, struct pool *pool, struct history *history);
void sequence_begin(struct sequence *sequence);
void sequence_add(struct sequence *sequence, uint32_t step, struct label *label);
void sequence_leave_out(struct sequence *sequence, uint32_t step, struct label *label);
/* Adds the second step of the race, as it would be in place of the first. `label` is that of
 * this step, or NULL. The element is free to choose within its step, unless its choice is known:
 * see chooses_alike(). */
void sequence_end(struct sequence *sequence, const struct race *race, const struct label *label);

/* Adds the last element if its event is known. */
void sequence_close(struct sequence *sequence, const struct race *race, const struct event *event);
/* sequence_drop() removes the first elements. sequence_look_from() makes the sequence begin at
 * element `from`. */
void sequence_drop(struct sequence *sequence, uint32_t count);
void sequence_look_from(struct sequence *sequence, uint32_t from);
/* Call this after the elements were put into another order. */
void sequence_sorted(struct sequence *sequence);

static inline const struct event *sequence_event(const struct sequence *sequence, uint32_t at) {
    return &sequence->elements[at].label->event;
}

/* Returns true if the element is not taken out. The elements of a task are always taken out in
 * their order. */
static inline bool sequence_has(const struct sequence *sequence, uint32_t at) {
    /* 0 means none; 0 - 1 is more than any number */
    return sequence->places[sequence->elements[at].task] - 1 <= at;
}

/* Returns true if no element that is left before this one must come before it. */
bool sequence_initial(const struct sequence *sequence, uint32_t at);

enum begins {
    BEGINS_NOT,
    BEGINS_FREE,   /* the move is not in the sequence, and depends on nothing there */
    BEGINS_WITH,   /* the move is the element `at`, which may come first */
    BEGINS_PARTLY, /* the task of the move may come first, but may choose another option there */
};

/* Says whether the sequence may begin with this move (is the move a weak initial?). */
enum begins sequence_begins(const struct sequence *sequence, const struct move *move, uint32_t *at);

/* Makes a move of a branch that is to be planned, and puts it at `end`. Returns the place for the
 * next one. `label` is that of a step, or &sequence->last. */
struct move **sequence_plan(struct sequence *sequence, struct move **end, struct label *label);

/* Adds the sequence to the tree, unless a move there covers it; empties the sequence. `cover` is a
 * leaf of the tree to be asked first, or NULL. Afterwards it is the move that covers the sequence,
 * if this is a leaf among the first moves of the tree. */
bool sequence_insert(struct sequence *sequence, struct move **tree, struct move **cover);

#endif
