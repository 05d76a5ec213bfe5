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
    struct message *at_hand;  /* the message to which the machine reacts */
    struct message *received; /* the last message of machine_receive; or NULL */
    pthread_t thread;
    bool joined;
    struct member *next; /* the next machine whose thread has ended and waits to be joined */
};

/* Creates a machine, which is busy from now on. */
machine_id crew_create(const struct machine_type *type, const void *memory);

/* NULL if there is none. */
struct member *crew_find(machine_id id);

/* Ends the thread of the machine that runs here, in the middle of its action, because it would
 * wait for ever. */
_Noreturn void crew_leave(void);

/* When all machines rest: ends and joins their threads. Then there are no machines. */
void crew_dismiss(void);

#endif
