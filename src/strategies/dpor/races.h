/* races.h - what happens before an event, and which earlier steps race with it.
 *
 * One search finds both. It follows the chains of touches (history.c) that the event continues,
 * from the latest touch back, to find steps that may be dependent. If a found step is known to
 * happen before another found one, it cannot race. For each of the others the question is whether
 * the event could have come before that step (instead.h).
 *
 * Left out: what is done about a race. See plan.c and cover.c. */
#ifndef STRATEGIES_DPOR_RACES_H
#define STRATEGIES_DPOR_RACES_H

#include "event/dependence.h"
#include "strategies/dpor/history.h"

/* Adds the races of an event: pairs with the latest steps that can be turned round with it. `seen`
 * is the event as other tasks see it, and `second` is its step, or NO_STEP. Afterwards
 * history->known has all that happens before the event, and history->openers has the openers of its
 * touches of these keys. */
void find_races(struct history *history, const struct event *event, const struct event *seen,
                uint32_t second, const struct touch_keys *keys);

/* Adds a step, and all that happens before it, to history->known. */
static inline void know_step(struct history *history, uint32_t step) {
    clock_row_join(history->known, history->clocks + (size_t)step * history->width, history->width);
}

static inline bool only_reads(const struct event *event) {
    return op_info(event->op.kind)->effect == EFFECT_READ && !(event->flags & EVENT_FATAL);
}

/* Returns true for a join that does not give up. */
static inline bool waits_for_end(const struct op *op) {
    return op->kind == OP_JOIN && !op->timed;
}

#endif
