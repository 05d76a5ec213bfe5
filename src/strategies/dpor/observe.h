/* observe.h - observability (seed 002, chapter 4): two stores to one place, or two messages to one
 * mailbox, are ordered only if something later shows their order. The event that shows it is an
 * *observer*.
 *
 * Stores: a *run* is a set of stores to the same bytes, between two operations that look at these
 * bytes. The next operation that looks sees the last store of the run. All other stores of the run
 * come before that one, in any order among themselves.
 *
 * Messages: the first message comes before the second if a receive took the first and would have
 * taken the second as well. This holds also if the second was sent only after the receive, which
 * was not asked about it then.
 *
 * All other pairs are ordered by dependent_events(). So are these pairs:
 * - all pairs of an execution in which a task was parked, because what its loop waits for is not
 *   known
 * - messages, if the execution has an atomic section, which may take several messages and see more
 *   of their
 *   order than one receive does
 * - stores to bytes that are also accessed without an operation
 *
 * Left out: how many messages wait. If a machine's queue can be full, the place of a send among
 * others matters even if no task takes their messages. Then orders may be left out (see
 * BY_OBSERVATION). Also left out: what code without instrumentation looks at, for example a
 * comparison by the C library.
 *
 * The relation is known only for a whole execution, or a whole sequence of moves. Then it is the
 * same in every order that it allows. */
#ifndef STRATEGIES_DPOR_OBSERVE_H
#define STRATEGIES_DPOR_OBSERVE_H

#include "base/hash_table.h"
#include "strategies/dpor/wakeup.h"

/* What is known of a step that sends or receives a message. */
struct message {
    uint64_t number;  /* number of the sent or received message in its mailbox */
    uint32_t ordinal; /* number of earlier steps of the same task */
    /* of a receive, the step that sent its message; of a send, the step that has received its
     * message in that execution; else NO_STEP */
    uint32_t partner;
};

struct place; /* 8 bytes that an operation has stored to at some time */

struct observe {
    struct pool *pool; /* borrowed */
    struct history *history;
    struct sequence whole;    /* all steps of the execution */
    struct message *messages; /* one entry for each step */
    struct place *places;
    struct hash_table place_numbers; /* number of each place, by its key */
    bool *marked;                    /* scratch: one flag for each element of a sequence */
    struct element *sorted;
    struct race last; /* scratch: a race with an observer as its second step */
    uint32_t message_capacity, place_capacity, place_count;
    uint32_t marked_capacity, sorted_capacity;
    bool parked; /* some task was parked in this execution */
    /* some step of this execution may see all messages of a mailbox, as an atomic section does */
    bool sectioned;
};

extern const struct sequence_order observed_order;

/* From now on the history asks `observe` which steps depend on each other. */
void observe_init(struct observe *observe, struct pool *pool, struct history *history);

/* Begins an execution. The history has the steps that it repeats. */
void observe_begin(struct observe *observe);
/* Adds the next step. Replaces the number of its message by a name that does not depend on the
 * order of sending. */
void observe_step(struct observe *observe, struct event *event);
/* Notes an access that is not an operation. */
void observe_access(struct observe *observe, uint64_t address, uint32_t size);
/* Orders the history, when all steps of the execution are in it and in `whole`. `last` is the last
 * state, or NULL. */
void observe_end(struct observe *observe, const struct choice *last);

/* Returns the first step that shows the order of a race; NO_STEP if the order matters in any
 * case. */
uint32_t observe_observer(const struct observe *observe, const struct race *race);

/* Returns true if it is known that this receive, as it happened, would have taken the message of
 * that send. */
bool observe_surely_takes(const struct observe *observe, uint32_t receive, uint32_t send);

/* Makes the sequence that shows the other order of a race. It consists of the steps that do not
 * happen after an observer, with the second step of the race before the first, and then the
 * observer. */
void observe_reverse(struct observe *observe, struct sequence *sequence, const struct race *race,
                     uint32_t observer);

#endif
