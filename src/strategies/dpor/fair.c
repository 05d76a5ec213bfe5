/* fair.c - see fair.h. */
#include "strategies/dpor/fair.h"

#include "strategies/dpor/plan.h"

/* A prime number: a loop of two or three operations must not be at the same place at the end of
 * each turn, since another task may be able to move at one of its places only. */
enum { TURN = 251 };

/* The step after the last one of the task; 0 if it has not moved. */
static uint32_t moved_last(const struct dpor *self, uint32_t task) {
    return task < self->history.width ? self->history.last[task] : 0;
}

/* The task that has not moved for the longest time, and is awake. Returns choice->count if there is
 * none. */
static uint32_t least_recent(const struct dpor *self, const struct choice *choice) {
    uint32_t best = choice->count;
    for (uint32_t i = 0; i < choice->count; i++) {
        uint32_t task = choice->pending[i].task;
        bool earlier = best == choice->count ||
                       moved_last(self, task) < moved_last(self, choice->pending[best].task);
        if (earlier && (self->kind >= DPOR_OPTIMAL || !task_asleep(self, self->depth - 1, task)))
            best = i;
    }
    return best;
}

uint32_t fair_option(struct dpor *self, const struct choice *choice, uint32_t option) {
    struct fair *fair = &self->fair;
    if (choice->count < 2 || self->at < fair->from)
        return option;
    bool waits = choice_of_task(choice, choice->task) == choice->count;
    bool over = ++fair->used > TURN * (fair->turns + 1);
    uint32_t other = waits || over ? least_recent(self, choice) : choice->count;
    if (other == choice->count || choice->pending[other].task == choice->task)
        return option;
    if (over) {
        fair->used = 0;
        fair->turns++;
    }
    return other;
}

/* The first state of this execution, not before its new part, from which on the task could move.
 * Returns NO_STEP if the task could not move, or moved afterwards. */
static uint32_t left_behind_since(const struct dpor *self, uint32_t task) {
    const struct history *history = &self->history;
    const struct waiting *waiting = history_waiting(history, history->count - 1, task);
    if (waiting == NULL || !waiting->enabled || moved_last(self, task) > self->fixed)
        return NO_STEP;
    return waiting->since > self->fixed ? waiting->since : self->fixed;
}

void fair_plan_cut(struct dpor *self, const struct choice *last) {
    if (within_bounds(&self->within))
        return;
    for (uint32_t i = 0; i < last->count; i++) {
        uint32_t task = last->pending[i].task, since = left_behind_since(self, task);
        if (since <= self->history.count / 2 && !task_asleep(self, since, task))
            plan_task_at(self, since, task);
    }
}
