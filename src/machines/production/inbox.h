/* inbox.h - the queue of one machine: a list under a lock.
 *
 * Its machine takes the first event that it likes, and waits for one; what it does not like stays. Others
 * put events in, and may wait for room. Who waits is at rest (census.h), and is counted as busy by whoever
 * brings what it may have waited for: a put of an event that it likes, a take, the halt of the machine. */
#ifndef MACHINES_PRODUCTION_INBOX_H
#define MACHINES_PRODUCTION_INBOX_H

#include <pthread.h>

#include <heddle/machine.h>

struct message {
    struct message *next;
    struct machine_message content; /* the event, its sender, and where the payload is: */
    _Alignas(16) char payload[];
};

/* Would the machine take such an event now? */
typedef bool inbox_likes(const void *context, const struct machine_event *event);

struct inbox {
    pthread_mutex_t lock;
    pthread_cond_t arrived; /* something that the machine likes */
    pthread_cond_t taken;   /* something, so there may be room */
    struct message *first, *last;
    uint32_t length;
    bool halted; /* nobody takes anything any more: what is sent is forgotten */
    bool over;   /* all machines rest: who waits goes home */

    bool waits;         /* the machine, for an event */
    inbox_likes *likes; /* that it likes */
    const void *context;
    uint32_t blocked; /* senders that wait for room, */
    uint32_t turn;    /* and those who waited before have been woken */
};

enum inbox_room { INBOX_ROOM, INBOX_FULL, INBOX_HALTED, INBOX_OVER };

void inbox_init(struct inbox *inbox);
void inbox_destroy(struct inbox *inbox);

/* By its machine: takes out the first event that it likes, and waits for one. The caller frees it.
 * NULL: it would wait for ever. */
struct message *inbox_take(struct inbox *inbox, inbox_likes *likes, const void *context);
/* By its machine: it has halted. */
void inbox_halt(struct inbox *inbox);

/* By a sender: locks the inbox, waits for room if it is asked to, and says whether there is some. Then
 * come inbox_put, if there is, and inbox_unlock. */
enum inbox_room inbox_lock(struct inbox *inbox, uint32_t bound, bool waits);
void inbox_put(struct inbox *inbox, const struct machine_event *event, machine_id sender,
               const void *payload);
void inbox_unlock(struct inbox *inbox);

/* When all machines rest: whoever waits here, returns. */
void inbox_close(struct inbox *inbox);

#endif
