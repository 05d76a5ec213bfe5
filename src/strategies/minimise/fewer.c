/* fewer.c - a stage of minimising: all executions with no switch, then all with at most one, and so on,
 * below the number that the best one has. The first that fails in the same way has the fewest there
 * can be; if none does, the best one has.
 *
 * No reduction: whether two orders come to the same may depend on what they cost. So this is for small
 * programs; the others end with the budget, and then it is not known. */
#include "strategies/minimise/minimise.h"

static void start(struct minimise *self) {
    tree_clear(&self->tree);
    self->bound = 0;
    self->cut = false;
    self->started = false;
}

static bool begin(struct minimise *self) {
    if (self->bound >= self->best_measure.switches)
        return false;
    self->base.prefix = 0;
    self->base.returns = false;
    if (self->started && !tree_next(&self->tree)) {
        self->started = false;
        self->bound++;
        return begin(self);
    }
    if (self->started) {
        self->base.prefix = self->tree.depth - 1;
        self->base.returns = tree_returns(&self->tree);
    } else {
        tree_clear(&self->tree);
    }
    self->started = true;
    return true;
}

/* Whoever moved last goes on first; the others only if a switch can be paid for. */
static uint32_t pick_new(struct minimise *self, const struct choice *choice) {
    uint32_t moved = way_moved(&self->way), limit = choice->count, first = 0;
    if (choice->tag == CHOICE_SCHEDULE && moved != NO_TASK) {
        while (first < choice->count && choice->pending[first].task != moved)
            first++;
        bool goes_on = first < choice->count;
        first = goes_on ? first : 0;
        if (way_switches(&self->way) == self->bound)
            limit = goes_on;
    }
    if (limit == 0)
        return PICK_NOTHING;
    tree_push(&self->tree, first, limit, choice->count);
    return first;
}

static uint32_t pick(struct minimise *self, const struct choice *choice) {
    return tree_repeats(&self->tree) ? tree_repeat(&self->tree, choice) : pick_new(self, choice);
}

static void end(struct minimise *self, enum result result) {
    self->cut |= result == RESULT_CUT;
    if (result == RESULT_TARGET)
        minimise_accept(self); /* with self->bound switches: begin() ends the stage */
}

static void finish(struct minimise *self, bool complete) {
    (void)complete;
    self->tried = self->cut ? 0 : self->bound;
}

const struct stage fewer_stage = {
    .start = start, .begin = begin, .pick = pick, .end = end, .finish = finish};
