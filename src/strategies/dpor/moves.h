/* moves.h - moves are the parts of wakeup trees. A tree is the list of its first moves, and behind
 * each move there may be a list of those that come next. Lists behind moves may be shared: see
 * share.h.
 *
 * The *label* of a move says what is done: a task moves, and in its step it chooses values,
 * wake-ups and time-outs. Several moves may have one label. */
#ifndef STRATEGIES_DPOR_MOVES_H
#define STRATEGIES_DPOR_MOVES_H

#include "base/pool.h"
#include "event/dependence.h"

struct chosen {
    uint32_t value, count;
};

struct label {
    struct event event;     /* the event as it happened, or with EVENT_AHEAD */
    struct chosen *choices; /* choices within the step; later choices in it are free */
    struct label *planned;  /* the label of moves that plan this one, or NULL: see labels.h */
    uint32_t users;         /* moves and labels that refer to this one */
    uint16_t choice_count;
    bool kept; /* it is among those of labels.h */
};

struct move {
    struct move *next; /* the next sibling */
    /* the first move that must come after this one; after a leaf any move may */
    struct move *child;
    struct label *label;
    uint32_t sharers; /* first of a list: the moves that the list stands behind, less one */
    bool counted_on;  /* another sequence was not planned, because this move leads to the same */
    uint8_t compared; /* first of a list: see share.h */
    uint16_t task;    /* that of the label: it is asked most often */
};

static inline const struct event *move_event(const struct move *move) {
    return &move->label->event;
}

static inline uint32_t move_task(const struct move *move) {
    return move->task;
}

/* Fetches a move from memory that will be needed soon. */
static inline void move_expect(const struct move *move) {
    __builtin_prefetch(move);
}

/* A label without users. */
struct label *label_new(struct pool *pool, const struct event *event, const struct chosen *choices,
                        uint32_t choice_count);
/* Takes a user away. */
void label_leave(struct pool *pool, struct label *label);

struct move *move_new(struct pool *pool, struct label *label);
/* A move that was not made yet. */
struct move *move_ahead(struct pool *pool, uint32_t task, const struct op *op);
/* Gives a move the label of what happened. */
void move_happened(struct pool *pool, struct move *move, const struct event *event,
                   const struct chosen *choices, uint32_t choice_count);
void move_append(struct move **list, struct move *move);
/* Frees a move, its later siblings, and all of their children. */
void moves_free(struct pool *pool, struct move *move);
/* Frees a list that a move has left, unless others share it. */
void moves_leave(struct pool *pool, struct move *list);

#endif
