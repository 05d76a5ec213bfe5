/* lock_state.h - the state of one synchronisation object, computed from its events. It tells
 * whether an operation that can block could have gone on. */
#ifndef EVENT_LOCK_STATE_H
#define EVENT_LOCK_STATE_H

#include "event/event.h"

/* All zeros: the object before its first event. */
struct lock_state {
    uint32_t holds;   /* mutex or spin lock: how often its owner has locked it */
    uint32_t owner;   /* the task that holds it */
    uint32_t readers; /* read-write lock: the number of read locks that are held */
    bool lost;        /* a robust mutex was not made consistent, so no task gets it any more */
    bool written;     /* a writer holds it */
    bool entered;     /* once: the routine is running */
    bool done;        /* once: the routine has run */
    bool counted;     /* semaphore: its value is known */
    bool unknown;     /* an operation that is not followed (its act is NONE) has changed it */
    bool halted;      /* the machine of this mailbox takes no more messages */
    uint32_t sent;    /* the number of messages that were ever sent to the mailbox */
    int64_t value;    /* the value of the semaphore; the number of messages in the mailbox */
};

/* The state before the first event on the object. */
void lock_state_begin(struct lock_state *state, const struct event *event);

/* The same for a later event: the count of a semaphore is not known before an operation shows
 * it. */
void lock_state_learn(struct lock_state *state, const struct event *event);

/* Whether the state tells if a task in front of this operation is blocked. An operation whose act
 * is NONE is not followed: it may have changed the state, and it does not show the count of a
 * semaphore. */
bool lock_state_decides(const struct lock_state *state, const struct op *op);

/* `object` is the address of the object, because an event may be about two objects. */
void lock_state_apply(struct lock_state *state, const struct event *event, uint64_t object);

/* Predicts the result of an operation in this state. `event` has the task and the operation; flags
 * and result are filled in as far as dependence needs them. Returns false if the result is not
 * known. */
bool lock_state_predict(const struct lock_state *state, struct event *event);

/* Whether a task that does not hold the object could go on, if the state decides that. Also true
 * for operations that never block. */
bool lock_state_allows(const struct lock_state *state, const struct op *op);

#endif
