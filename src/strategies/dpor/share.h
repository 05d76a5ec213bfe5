/* share.h - equal parts of the wakeup trees are stored once.
 *
 * Trees can have as many moves as the search has executions. But what is planned behind one move is
 * mostly planned behind others, too. So from time to time the lists of moves are compared, and of
 * equal ones, with the same lists behind their moves, one is kept. Time for it is when as many
 * moves were made as were left the last time, so the cost for each move made is constant.
 *
 * A list counts its *sharers*: the moves that it stands behind, less one. A list that is shared
 * must not change. So the way down a tree is noted while a place is looked for, and the shared lists
 * on the way are copied before the place changes. The first moves of a frame's tree are never
 * shared. */
#ifndef STRATEGIES_DPOR_SHARE_H
#define STRATEGIES_DPOR_SHARE_H

#include "base/hash_table.h"
#include "strategies/dpor/moves.h"

struct share {
    struct pool *pool;         /* borrowed */
    struct hash_table digests; /* of the lists that are kept */
    struct move **lists;       /* their first moves */
    uintptr_t *open;           /* scratch: places of lists that are still to be compared */
    /* The way down a tree that is looked at: for each list, the place in it of the move that was
     * taken. */
    uint32_t *way;
    struct move *way_move; /* the last move of the way */
    uint32_t way_count, way_capacity;
    uint32_t list_count, list_capacity, open_count, open_capacity;
    uint32_t made;   /* moves that were made since lists were compared */
    uint32_t limit;  /* so many make a comparison worth it */
    uint32_t left;   /* moves in all lists that are kept */
    uint8_t round;   /* 1 or 2: lists that were compared have this number */
    bool way_shared; /* a list behind a move of the way is shared */
};

void share_init(struct share *share, struct pool *pool);

/* Makes a list one that only its own move has, so that it may be changed. */
void share_own(struct share *share, struct move **list);

static inline void way_begin(struct share *share) {
    share->way_count = 0;
    share->way_shared = false;
}

/* Takes the move that has this place in its list. */
void way_take(struct share *share, uint32_t place, struct move *move);

/* Return the last move of the way that begins in this tree, and the list behind that move. Both may
 * be changed. */
struct move *way_last(struct share *share, struct move **tree);
struct move **way_behind(struct share *share, struct move **tree);

static inline bool share_is_due(const struct share *share) {
    return share->made >= share->limit;
}

/* Compares lists: begin, then all lists behind the first moves of each tree, then end. */
void share_begin(struct share *share);
void share_tree(struct share *share, struct move *tree);
void share_end(struct share *share);

#endif
