/* instead.h - could a step have come in place of an earlier one, and what would have come of it? (The second
 * is history_predict(), history.h.) Asked of the history: by the states that were seen, or by what one
 * object would have been without the earlier step and all that happens after it. */
#ifndef STRATEGIES_DPOR_INSTEAD_H
#define STRATEGIES_DPOR_INSTEAD_H

#include "strategies/dpor/history.h"

enum answer { NO, YES, MAYBE };

/* Looking for what races with an event. */
struct search {
    struct history *history;
    const struct event *event;
    const struct event *seen; /* the same, as far as others can tell: what it depends on */
    uint32_t second;          /* its number, or NO_STEP: it is only pending */
    uint32_t found;           /* steps in history->found: those that depend and are not known yet */
    bool by_predicate;
};

/* A task parked in a loop waits for whatever it has read, which need not be in its operation: any change lets
 * it go on. Those whose operation waits by itself know what they wait for. */
static inline bool is_polling(const struct op *op) {
    return !may_wait(op->kind);
}

/* That event in place of that step. */
enum answer could_come_first(const struct search *search, uint32_t first);

/* Several keep it out: without all of them it could. */
bool could_come_alone(const struct search *search, uint32_t first);

#endif
