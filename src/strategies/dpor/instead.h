/* instead.h - could a step have come in place of an earlier one? The history answers this by the
 * states that were seen, or by what one object would have been without the earlier step
 * (without.h). What would have come of the step is another question (predict.h). */
#ifndef STRATEGIES_DPOR_INSTEAD_H
#define STRATEGIES_DPOR_INSTEAD_H

#include "strategies/dpor/history.h"

/* MAYBE: it is not known before the task stands there. UNTOLD: likewise, because the operation does
 * not tell what it waits for. */
enum answer { NO, YES, MAYBE, UNTOLD };

/* A search for the steps that race with an event. */
struct search {
    struct history *history;
    const struct event *event;
    const struct event *seen; /* the event as other tasks see it; decides what depends on it */
    uint32_t second;          /* step number of the event; NO_STEP: it is only pending */
    /* number of steps in history->found: those that depend on the event and are not known to happen
     * before it */
    uint32_t found;
    bool by_predicate;
};

/* Returns true if a task at this operation is parked in a loop. Such a task waits for all that the
 * loop has read, which need not be in its operation: any change lets the task go on. An operation
 * that waits by itself says what it waits for. */
static inline bool is_polling(const struct op *op) {
    return !op_wait_is_known(op->kind);
}

/* Returns the number of the look if the event is one of a waiting loop (engine/looks.h), else 0. */
uint32_t look_of(const struct search *search);

/* Could the event have come in place of step `first`, after all steps that do not happen after
 * `first`? */
enum answer could_come_first(const struct search *search, uint32_t first);

/* Returns true if several steps keep the event from coming earlier, and it could have come without
 * all of them. */
bool could_come_alone(const struct search *search, uint32_t first);

#endif
