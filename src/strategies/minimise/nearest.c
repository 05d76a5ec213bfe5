/* nearest.c - two stages of minimising: the nearest execution that passes, and with it the critical
 * step.
 *
 * The nearest execution shares the most first decisions with the failing one. The critical step is
 * where the two part: before it some execution passed, after it none does. The first stage goes
 * back along the failing execution. Before each decision it tries one execution for every other
 * option, until one passes. The second stage tries all executions that go on behind the critical
 * step, from the end back. If none of them passes, the step is proven to be critical. */
#include "strategies/minimise/minimise.h"

#include "strategies/switches.h"

static void keep(struct minimise *self) {
    execution_copy(&self->passing, self->base.inputs->execution);
    self->has_passing = self->critical_known = true;
    self->critical = follow_common(self->best.decisions, self->best.decision_count, &self->passing);
}

/* Goes on with as few switches as possible. */
static uint32_t pick_on(const struct choice *choice) {
    return choice->tag == CHOICE_SCHEDULE ? switch_first(choice) : 0;
}

static void finish(struct minimise *self, bool complete) {
    (void)self, (void)complete;
}

/* --- one for every other option --- */

static void start_nearby(struct minimise *self) {
    self->at = self->best_way.count;
    self->other = 0;
}

/* Goes on to the next option of the decision at hand, or to the decision before it. */
static bool step_back(struct minimise *self) {
    const struct mark *marks = self->best_way.marks;
    if (self->at < self->best_way.count && ++self->other < marks[self->at].count)
        return true;
    do {
        if (self->at-- == 0)
            return false;
    } while (marks[self->at].count == 1);
    self->other = 1;
    return true;
}

static bool begin_nearby(struct minimise *self) {
    if (self->has_passing || !step_back(self))
        return false;
    minimise_follow(self, self->best.decisions, self->at);
    return true;
}

static uint32_t pick_nearby(struct minimise *self, const struct choice *choice) {
    const struct mark *mark = &self->best_way.marks[self->at];
    if (self->way.count < self->at)
        return follow_pick(&self->follow, choice);
    if (self->way.count > self->at)
        return pick_on(choice);
    return mark->count == choice->count ? (mark->option + self->other) % mark->count
                                        : choice->count;
}

static void end_nearby(struct minimise *self, enum result result) {
    if (result == RESULT_PASSED)
        keep(self);
}

const struct stage nearby_stage = {.start = start_nearby,
                                   .begin = begin_nearby,
                                   .pick = pick_nearby,
                                   .end = end_nearby,
                                   .finish = finish};

/* --- all that lies behind --- */

/* The failing execution is the first path of the tree. */
static void start_after(struct minimise *self) {
    const struct way *way = &self->best_way;
    tree_clear(&self->tree);
    for (uint32_t i = 0; i < way->count; i++)
        tree_push(&self->tree, way->marks[i].option, way->marks[i].count, way->marks[i].count);
    self->tree.floor = self->critical_known ? self->critical + 1 : 0;
    self->started = false;
    self->cut = self->best_leaves_open;
    self->other = false;
}

/* `other` says that an execution which passes was found. It is the one that parts latest, because
 * all that part later were tried before. */
static bool begin_after(struct minimise *self) {
    if (self->other || !tree_next(&self->tree))
        return false;
    self->plan.prefix = self->started ? self->tree.depth - 1 : 0;
    self->plan.returns = tree_returns(&self->tree);
    self->started = true;
    return true;
}

static uint32_t pick_after(struct minimise *self, const struct choice *choice) {
    if (tree_repeats(&self->tree))
        return tree_repeat(&self->tree, choice);
    uint32_t first = pick_on(choice);
    tree_push(&self->tree, first, choice->count, choice->count);
    return first;
}

static void end_after(struct minimise *self, enum result result) {
    self->cut |= result == RESULT_CUT || minimise_leaves_open(self);
    if (result != RESULT_PASSED)
        return;
    self->other = true;
    keep(self);
}

static void finish_after(struct minimise *self, bool complete) {
    self->critical_proven = complete && !self->cut;
}

const struct stage after_stage = {.start = start_after,
                                  .begin = begin_after,
                                  .pick = pick_after,
                                  .end = end_after,
                                  .finish = finish_after};
