/* crew.h - all machines: each has a number, a thread, and an inbox. */
#ifndef MACHINES_PRODUCTION_CREW_H
#define MACHINES_PRODUCTION_CREW_H

#include "machines/production/inbox.h"
#include "machines/reaction.h"

struct member {
    machine_id id;
    struct machine machine;
    void *memory;
    struct inbox inbox;
    struct message *at_hand;  /* that it reacts to, */
    struct message *received; /* and has asked for meanwhile; or NULL */
    pthread_t thread;
    bool joined;
    struct member *next; /* among those whose threads have ended and wait to be joined */
};

/* A new machine, which is busy from now on. */
machine_id crew_create(const struct machine_type *type, const void *memory);

/* NULL: there is none. */
struct member *crew_find(machine_id id);

/* Ends the thread of the machine that runs here, in the middle of its action: it waits in vain. */
_Noreturn void crew_leave(void);

/* When all rest: ends and joins their threads. Then there are no machines. */
void crew_dismiss(void);

#endif
