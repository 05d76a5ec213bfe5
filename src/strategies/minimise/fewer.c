/* fewer.c - two stages of minimising. Each of them tries all executions within some bounds.
 *
 * Fewer switches: tries all executions with no switch, then all with at most one, and so on, below
 * the number of switches of the best one. The first that fails in the same way has the fewest
 * switches possible. If none does, the best one has. An execution is not taken if it is so long
 * that the best one is preferred to it (way.h).
 *
 * Fewer steps: tries all executions that have no more switches, preemptions and tasks than the best
 * one, and are shorter. Small changes (edits.h) do not lead from one way to fail to a shorter one.
 * An execution that fails in the same way is the best one from then on, so the bounds get narrower.
 * What was tried before need not be tried again.
 *
 * There is no reduction, because two equivalent orders may cost differently. So these stages are
 * for small programs. With others the budget ends them, and then the answer is not known. */
#include "strategies/minimise/minimise.h"

#include "strategies/switches.h"

static void start(struct minimise *self) {
    self->bound = 0;
    self->cut = false;
    self->started = false;
}

/* Finds the next execution of the tree. Returns false if the tree has no more. */
static bool next(struct minimise *self) {
    if (self->started && !tree_next(&self->tree))
        return false;
    if (!self->started)
        tree_clear(&self->tree);
    self->plan.prefix = self->started ? self->tree.depth - 1 : 0;
    self->plan.returns = self->started && tree_returns(&self->tree);
    self->started = true;
    return true;
}

/* The task that moved last goes on first. Other tasks are tried only if a switch is affordable. */
static uint32_t pick_new(struct minimise *self, const struct choice *choice, bool switches) {
    uint32_t moved = way_moved(&self->way), limit = choice->count, first = 0;
    if (choice->tag == CHOICE_SCHEDULE && moved != NO_TASK) {
        while (first < choice->count && choice->pending[first].task != moved)
            first++;
        bool goes_on = first < choice->count;
        first = goes_on ? first : 0;
        if (!switches)
            limit = goes_on;
    }
    if (limit == 0)
        return PICK_NOTHING;
    tree_push(&self->tree, first, limit, choice->count);
    return first;
}

/* --- fewer switches --- */

static bool begin_fewer(struct minimise *self) {
    for (; self->bound < self->best_measure.switches; self->bound++) {
        if (next(self))
            return true;
        self->started = false;
    }
    return false;
}

static uint32_t pick_fewer(struct minimise *self, const struct choice *choice) {
    if (tree_repeats(&self->tree))
        return tree_repeat(&self->tree, choice);
    return pick_new(self, choice, way_switches(&self->way) < self->bound);
}

static void end_fewer(struct minimise *self, enum result result) {
    self->cut |= result == RESULT_CUT;
    struct measure measure = way_measure(&self->way);
    if (result == RESULT_TARGET && measure_less(&measure, &self->best_measure))
        /* this one has self->bound switches, so begin_fewer() ends the stage */
        minimise_accept(self);
}

static void finish_fewer(struct minimise *self, bool complete) {
    (void)complete;
    uint32_t without = self->bound < self->fewest ? self->bound : self->fewest;
    self->tried = self->cut ? 0 : without;
}

const struct stage fewer_stage = {.start = start,
                                  .begin = begin_fewer,
                                  .pick = pick_fewer,
                                  .end = end_fewer,
                                  .finish = finish_fewer};

/* --- fewer steps --- */

/* Returns true if the execution is still shorter than the best one after one more step, and no
 * larger in any other way. */
static bool may_go_on(const struct measure *so_far, const struct measure *best) {
    return so_far->steps + 1 < best->steps && so_far->switches <= best->switches &&
           so_far->preemptions <= best->preemptions && so_far->tasks <= best->tasks;
}

static uint32_t pick_step(struct minimise *self, const struct choice *choice) {
    const struct measure *best = &self->best_measure;
    struct measure so_far = way_measure(&self->way);
    bool affordable = so_far.preemptions < best->preemptions || switch_is_free(choice);
    if (!may_go_on(&so_far, best))
        return PICK_NOTHING;
    return pick_new(self, choice, so_far.switches < best->switches && affordable);
}

/* The repeated part was within the bounds when it was new. If the bounds got narrower since, the
 * execution that made them narrower begins with the same part. */
static uint32_t pick_shorter(struct minimise *self, const struct choice *choice) {
    if (tree_repeats(&self->tree))
        return tree_repeat(&self->tree, choice);
    return choice->tag == CHOICE_SCHEDULE ? pick_step(self, choice) : pick_new(self, choice, false);
}

static void end_shorter(struct minimise *self, enum result result) {
    struct measure measure = way_measure(&self->way);
    if (result == RESULT_TARGET && measure_less(&measure, &self->best_measure))
        minimise_accept(self);
}

static void finish_shorter(struct minimise *self, bool complete) {
    (void)self, (void)complete;
}

const struct stage shorter_stage = {.start = start,
                                    .begin = next,
                                    .pick = pick_shorter,
                                    .end = end_shorter,
                                    .finish = finish_shorter};
