/* queue.h - each different queue of a slot is kept once, with a number.
 *
 * A queue is the queue before its last message came, and that message. So a queue takes few bytes,
 * however many events wait in it, and the queue that a step makes is found by two numbers. Each
 * slot has an empty queue of its own, with which all of its queues begin. Queues belong to the
 * process and are never given back. */
#ifndef NATIVE_MACHINE_QUEUE_H
#define NATIVE_MACHINE_QUEUE_H

#include "base/fingerprint.h"
#include "substrates/native/machines/machine.h"
#include "substrates/native/machines/version.h"

struct queue {
    struct fingerprint print; /* zeros if the queue is empty */
    uint32_t count;           /* the number of messages */
    uint32_t before;          /* the queue without its last message */
    uint32_t first, last;     /* messages */
    uint32_t rest;            /* the queue without its first message; NO_QUEUE: not known yet */
    uint32_t slot;            /* the id */
};

enum { NO_QUEUE = 0 };

struct queue *queue_at(uint32_t number);

/* The queue in which nothing waits. */
uint32_t queue_empty(uint32_t slot);
/* The queue with a message more. NO_QUEUE: there is no more room, or there was none. */
uint32_t queue_push(uint32_t queue, uint32_t message);
/* The queue without its first message; it has one. NO_QUEUE: there is no more room. */
uint32_t queue_rest(uint32_t queue);

/* The number of a message. NO_VERSION: there is no more room. */
uint32_t queue_message(const struct message *message);
static inline const struct message *message_of(uint32_t number) {
    return (const struct message *)version_at(number)->bytes;
}

/* The queue that the slot has now. NO_QUEUE: there is no more room. */
uint32_t queue_settle(struct slot *slot);
/* The fingerprint of the queue that the slot has now, which is the answer of queue_settle(). */
struct fingerprint queue_print(struct slot *slot, uint32_t queue);
/* Makes the queue of the slot that queue. */
void queue_read(struct slot *slot, uint32_t queue);

#endif
