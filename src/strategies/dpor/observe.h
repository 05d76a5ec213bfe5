/* observe.h - observability (seed 002, chapter 4): two stores to one place, or two messages to one mailbox,
 * are in an order only if something later shows it.
 *
 * Stores of the same bytes between two operations that look at them are a *run*. The last store of a run
 * is what the next one who looks sees: all others of the run come before it, in any order among each
 * other. Of two messages the first comes before the second if a
 * receive took the first and would have taken the second as well; also if that was sent only later, for
 * then it is not asked. Who looks is an *observer*.
 *
 * All other pairs are as dependent_events() says. So are these, for a whole execution, if a task was
 * parked in it (what the loop waits for is not known); messages, if it has an atomic section (which may
 * take some, and see more of their order than one receive does); and stores of bytes that are also accessed
 * without an operation.
 *
 * How many messages wait is not part of it: where a machine's queue can be full, the place of a send among
 * others matters although nobody takes them. Then orders may be left out (strategy_ops.unless_queues).
 *
 * What code that is not instrumented looks at is not known here: a comparison by the C library, for example.
 *
 * The relation is known only for a whole execution, or a whole sequence of moves; then it is the same in
 * every order that it allows. */
#ifndef STRATEGIES_DPOR_OBSERVE_H
#define STRATEGIES_DPOR_OBSERVE_H

#include "strategies/dpor/wakeup.h"

/* What a step has to do with messages. */
struct message {
    uint64_t number;  /* of a send and a receive: in its mailbox */
    uint32_t ordinal; /* so many steps of the same task came before */
    uint32_t partner; /* the step that sent it or, at that time, has received it; or NO_STEP */
};

struct place; /* 8 bytes that were ever stored to by an operation */

struct observe {
    struct pool *pool; /* borrowed */
    struct history *history;
    struct sequence whole;    /* all steps */
    struct message *messages; /* by step */
    struct place *places;
    bool *marked; /* scratch: of the elements of a sequence */
    struct element *sorted;
    struct race last; /* scratch: an observer instead of the second of a race */
    uint32_t message_capacity, place_capacity, place_count;
    uint32_t marked_capacity, sorted_capacity;
    bool parked;    /* a task was, in this execution */
    bool sectioned; /* it has an atomic section */
};

extern const struct sequence_order observed_order;

/* The history asks it from now on. */
void observe_init(struct observe *observe, struct pool *pool, struct history *history);

/* A new execution, of which the history has what it repeats. */
void observe_begin(struct observe *observe);
/* The step that comes next. Messages are given names that do not depend on the order of sending. */
void observe_step(struct observe *observe, struct event *event);
/* An access that is no operation. */
void observe_access(struct observe *observe, uint64_t address, uint32_t size);
/* All steps are there, also in `whole`: puts the history in order. `last` is the last state, or NULL. */
void observe_end(struct observe *observe, const struct choice *last);

/* The first step that shows the order of a race; NO_STEP: that matters in any case. */
uint32_t observe_observer(const struct observe *observe, const struct race *race);

/* Makes the sequence that shows the other order: all that does not happen after an observer, with the
 * second of the race before the first, then the observer. */
void observe_reverse(struct observe *observe, struct sequence *sequence, const struct race *race,
                     uint32_t observer);

#endif
