/* inbox.h - the queue of one machine: a list under a lock.
 *
 * The machine takes the first event that it accepts, or waits for one. Other events stay.
 * Senders put events in, and may wait for room. A thread that waits is at rest (census.h). The
 * thread that may end the wait counts it as busy again: by a put of an event that the machine
 * accepts, by a take, or by the halt of the machine. */
#ifndef MACHINES_PRODUCTION_INBOX_H
#define MACHINES_PRODUCTION_INBOX_H

#include <pthread.h>

#include <heddle/machine.h>

struct message {
    struct message *next;
    struct machine_message content; /* the event, its sender, and the address of the payload */
    _Alignas(16) char payload[];
};

/* Whether the machine would take such an event now. */
typedef bool inbox_likes(const void *context, const struct machine_event *event);

struct inbox {
    pthread_mutex_t lock;
    pthread_cond_t arrived; /* there is an event that the machine accepts */
    pthread_cond_t taken;   /* an event was taken, so there may be room */
    struct message *first, *last;
    uint32_t length;
    bool halted; /* the machine has halted: events for it are forgotten */
    bool over;   /* all machines rest: every wait ends */

    bool waits;         /* the machine waits for an event */
    inbox_likes *likes; /* the function that says whether it accepts an event */
    const void *context;
    uint32_t blocked; /* senders that wait for room */
    uint32_t turn;    /* grows when all senders that waited are woken */
};

enum inbox_room { INBOX_ROOM, INBOX_FULL, INBOX_HALTED, INBOX_OVER };

void inbox_init(struct inbox *inbox);
void inbox_destroy(struct inbox *inbox);

/* Called by the machine: takes out the first event that it accepts, and waits for one. The
 * caller frees the message. Returns NULL if the machine would wait for ever. */
struct message *inbox_take(struct inbox *inbox, inbox_likes *likes, const void *context);
/* Called by the machine when it has halted. */
void inbox_halt(struct inbox *inbox);

/* Called by a sender: locks the inbox, waits for room if `waits`, and returns whether there is
 * room. Then the sender calls inbox_put, if there is room, and inbox_unlock. */
enum inbox_room inbox_lock(struct inbox *inbox, uint32_t bound, bool waits);
void inbox_put(struct inbox *inbox, const struct machine_event *event, machine_id sender,
               const void *payload);
void inbox_unlock(struct inbox *inbox);

/* When all machines rest: all waits in this inbox end. */
void inbox_close(struct inbox *inbox);

#endif
