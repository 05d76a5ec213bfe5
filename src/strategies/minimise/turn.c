/* turn.c - a stage of minimising: the one switch that matters.
 *
 * That is a preemption without which the execution passes: whoever moved goes on for as long as it can,
 * and the rest follows as before. The first that is tried is the last one before the critical step; then
 * those before it, then those behind it. */
#include "strategies/minimise/minimise.h"

static void start(struct minimise *self) {
    self->at = UINT32_MAX;
    self->turn_known = false;
}

/* The decision that is tried at that turn: down from the critical step, then up from it. */
static uint32_t candidate(const struct minimise *self) {
    uint32_t middle = self->critical_known ? self->critical + 1 : self->best_way.count;
    return self->at < middle ? middle - 1 - self->at : self->at;
}

static bool find(struct minimise *self) {
    while (++self->at < self->best_way.count)
        if (self->best_way.marks[candidate(self)].preempts)
            return true;
    return false;
}

static bool begin(struct minimise *self) {
    if (self->turn_known || !find(self))
        return false;
    uint32_t at = candidate(self);
    edit_run_on(&self->best, &self->best_way, at, self->best_way.marks[at].before, &self->wishes);
    minimise_follow(self, self->wishes.list, self->wishes.count);
    return true;
}

static uint32_t pick(struct minimise *self, const struct choice *choice) {
    return follow_pick(&self->follow, choice);
}

static void end(struct minimise *self, enum result result) {
    if (result != RESULT_PASSED)
        return;
    self->turn = candidate(self);
    self->turn_known = true;
}

static void finish(struct minimise *self, bool complete) {
    (void)self, (void)complete;
}

const struct stage turn_stage = {
    .start = start, .begin = begin, .pick = pick, .end = end, .finish = finish};
