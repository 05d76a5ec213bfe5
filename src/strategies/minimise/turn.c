/* turn.c - a stage of minimising: finds the one switch that matters.
 *
 * It is a switch without which the execution passes. To try a preemption, the task that moved
 * before goes on instead. Other switches are tried if there was a choice: then the task that moves
 * after this block moves instead, if it has moved before, because the block came in between its
 * steps. That task goes on for as long as it can, and the rest follows as before.
 *
 * Preemptions are tried first, then the other switches. Of each kind, the last one before the
 * critical step comes first, then those before it, then those behind the step. */
#include "strategies/minimise/minimise.h"

static void start(struct minimise *self) {
    self->at = UINT32_MAX;
    self->turn_known = false;
}

/* Returns the decision to be tried now: down from the critical step, then up from it, first for
 * preemptions and then for other switches. */
static uint32_t candidate(const struct minimise *self) {
    uint32_t middle = self->critical_known ? self->critical + 1 : self->best_way.count;
    uint32_t at = self->at % self->best_way.count;
    return at < middle ? middle - 1 - at : at;
}

static bool moved_before(const struct way *way, uint32_t at, uint32_t task) {
    while (at-- > 0)
        if (way->marks[at].tag == CHOICE_SCHEDULE && way->marks[at].task == task)
            return true;
    return false;
}

/* Returns the task that moves when the steps that begin there are over, or NO_TASK. */
static uint32_t next_mover(const struct way *way, uint32_t at) {
    for (uint32_t i = at + 1; i < way->count; i++)
        if (way->marks[i].tag == CHOICE_SCHEDULE && way->marks[i].task != way->marks[at].task)
            return way->marks[i].task;
    return NO_TASK;
}

/* Returns the task that would move instead; NO_TASK if the decision is not a switch of the kind
 * tried now. */
static uint32_t who_instead(const struct minimise *self, uint32_t at) {
    const struct way *way = &self->best_way;
    const struct mark *mark = &way->marks[at];
    bool forced = self->at >= way->count;
    if (!mark_switches(mark) || mark->preempts == forced)
        return NO_TASK;
    if (!forced)
        return mark->before;
    uint32_t next = mark->count > 1 ? next_mover(way, at) : NO_TASK;
    return next != NO_TASK && moved_before(way, at, next) ? next : NO_TASK;
}

static bool find(struct minimise *self) {
    while (++self->at < 2 * self->best_way.count) {
        self->other = who_instead(self, candidate(self));
        if (self->other != NO_TASK)
            return true;
    }
    return false;
}

static bool begin(struct minimise *self) {
    if (self->turn_known || !find(self))
        return false;
    edit_run_on(&self->best, &self->best_way, candidate(self), self->other, &self->wishes);
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
    self->turned = self->other;
    self->turn_known = true;
}

static void finish(struct minimise *self, bool complete) {
    (void)self, (void)complete;
}

const struct stage turn_stage = {
    .start = start, .begin = begin, .pick = pick, .end = end, .finish = finish};
