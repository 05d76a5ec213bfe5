/* backtrack.c - see backtrack.h, and dpor.c for the whole. */
#include "strategies/dpor/backtrack.h"

#include "strategies/dpor/pick.h"
#include "strategies/dpor/plan.h"

/* Counts the divergences of the execution under way: the states where it leaves an execution that
 * was explored before, since another move is done there already (002, section 5.2). */
static uint32_t divergences(const struct dpor *self) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->depth; i++)
        count += self->frames[i].done != NULL;
    return count;
}

/* Drops the plan of the top frame if it would be one divergence too many. */
static void keep_to_bound(struct dpor *self) {
    struct frame *frame = top_of(self);
    if (self->bound < 0 || frame->tree == NULL || divergences(self) <= (uint32_t)self->bound)
        return;
    moves_free(self->pool, frame->tree);
    frame->tree = NULL;
    self->base.hid_options = true;
}

/* Puts the move under way among those that are done, which sleep. A move that was tried in vain is
 * freed instead, because all that follows it is explored without it. */
static void finish_move(struct dpor *self, struct frame *frame) {
    struct move *move = frame->tree;
    frame->tree = move->next;
    frame->cover = NULL;
    move->next = NULL;
    if (self->in_vain) {
        plan_spares(self, frame, move);
        moves_free(self->pool, move);
        self->in_vain = frame->tree == NULL && frame->done == NULL;
        return;
    }
    free_spares(self, take_spares(frame, move));
    move->next = frame->done;
    frame->done = move;
}

/* Handles a parked task in a state to which the search comes back: another round of its loop would
 * change nothing. So what was planned after its move takes the place of the move. */
static void skip_parked(struct dpor *self) {
    struct frame *frame = top_of(self);
    while (first_is_parked(self, self->depth - 1)) {
        struct move *move = frame->tree;
        share_own(&self->sequence.share, &move->child);
        move_append(&move->child, move->next);
        frame->tree = move->child;
        move->next = move->child = NULL;
        frame->cover = NULL;
        plan_spares(self, frame, move);
        moves_free(self->pool, move);
    }
}

/* Puts the move that comes next first in the tree of the top frame, if any move is left. */
static void find_next(struct dpor *self, const struct frame *frame) {
    const struct move *first;
    do {
        skip_parked(self);
        first = frame->tree;
        drop_sleeping(self, self->depth - 1);
    } while (frame->tree != first);
}

bool backtrack(struct dpor *self) {
    while (self->depth > 0) {
        struct frame *frame = top_of(self);
        finish_move(self, frame);
        self->choice_count = frame->choice_first;
        find_next(self, frame);
        keep_to_bound(self);
        if (frame->tree != NULL)
            return true;
        pop_frame(self);
    }
    return false;
}
