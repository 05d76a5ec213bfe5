/* lock_state.h - could this operation have gone on? The state of one synchronisation object as its
 * events make it, for operations that block. */
#ifndef EVENT_LOCK_STATE_H
#define EVENT_LOCK_STATE_H

#include "event/event.h"

/* All zeros: the object before its first event. */
struct lock_state {
    uint32_t holds;   /* of a mutex or spin lock: how often its owner has locked it, */
    uint32_t owner;   /* who is that */
    uint32_t readers; /* of a read-write lock */
    bool lost;        /* a robust mutex that was not made consistent: nobody gets it any more */
    bool written;     /* a writer holds it */
    bool entered;     /* once: the routine runs, */
    bool done;        /* or has run */
    bool counted;     /* semaphore: its value is known */
    bool halted;      /* the machine whose mailbox this is takes no more */
    uint32_t sent;    /* messages that have ever come */
    int64_t value;    /* of a semaphore; messages in a mailbox */
};

/* The state before that event, the first one of all on the object. */
void lock_state_begin(struct lock_state *state, const struct event *event);

/* `object` is the address: an event may be about two. */
void lock_state_apply(struct lock_state *state, const struct event *event, uint64_t object);

/* What would come of it? `event` has task and operation; flags and result are filled in, as far as
 * dependence looks at them. False: not known. */
bool lock_state_predict(const struct lock_state *state, struct event *event);

/* Would a task that holds nothing get by? True also for what never blocks. */
bool lock_state_allows(const struct lock_state *state, const struct op *op);

#endif
