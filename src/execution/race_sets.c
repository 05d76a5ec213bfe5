/* race_sets.c - see race_sets.h. */
#include "execution/race_sets.h"

#include <stdlib.h>

#include "base/sort.h"
#include "event/event.h"

enum { NOT_RECEIVED = UINT32_MAX, BITS = 32 };

struct message {
    uint64_t mailbox;
    uint64_t number;
    uint32_t send, receive; /* events */
};

struct builder {
    struct race_sets *sets;
    const struct causality *order;
    const struct event *events;
    uint32_t event_count;
    struct message *messages; /* by mailbox, then in the order of their sends */
    uint32_t count;
    uint32_t *rivals; /* the rivals of the present receive; no two of them are ordered */
};

static int compare_messages(const void *a, const void *b) {
    const struct message *x = a, *y = b;
    if (x->mailbox != y->mailbox)
        return x->mailbox < y->mailbox ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static bool succeeded(const struct event *event) {
    return !(event->flags & (EVENT_NOTE | EVENT_FAILED | EVENT_TIMED_OUT));
}

static void find_messages(struct builder *self) {
    for (uint32_t i = 0; i < self->event_count; i++) {
        const struct event *event = &self->events[i];
        if (event->op.kind == OP_SEND && succeeded(event))
            self->messages[self->count++] =
                (struct message){event->op.object, event->number, i, NOT_RECEIVED};
    }
    sort(self->messages, self->count, sizeof *self->messages, compare_messages);
}

static struct message *message_of(const struct builder *self, const struct event *receive) {
    struct message key = {.mailbox = receive->op.object, .number = receive->number};
    return bsearch(&key, self->messages, self->count, sizeof key, compare_messages);
}

static void find_receives(struct builder *self) {
    for (uint32_t i = 0; i < self->event_count; i++) {
        const struct event *event = &self->events[i];
        if (!op_receives(event->op.kind) || !succeeded(event))
            continue;
        struct message *message = message_of(self, event);
        if (message != NULL && message->receive == NOT_RECEIVED && message->send < i)
            message->receive = i;
    }
}

/* The first message of a mailbox. */
static struct message *first_of(const struct builder *self, struct message *message) {
    while (message > self->messages && message[-1].mailbox == message->mailbox)
        message--;
    return message;
}

/* Whether the message was waiting when the receive happened. */
static bool was_there(const struct message *message, uint32_t receive) {
    return message->send < receive && message->receive > receive;
}

/* Whether the receive has passed over messages, or says that it would have taken others. */
static bool goes_by_predicate(const struct message *first, const struct message *own) {
    for (const struct message *at = first; at < own; at++)
        if (was_there(at, own->receive))
            return true;
    return false;
}

/* For a receive by a predicate: whether it would not have taken a message that was waiting. */
static bool is_refused(const struct builder *self, const struct message *own,
                       const struct message *message, uint32_t place_behind) {
    if (!was_there(message, own->receive))
        return false;
    uint32_t taken = self->events[own->receive].op.also_fits;
    return message < own || (place_behind < BITS && !(taken >> place_behind & 1));
}

/* Whether one of these messages, or the own one, must be sent before it. */
static bool comes_behind(const struct builder *self, const struct message *own, uint32_t send,
                         uint32_t rivals, bool by_predicate) {
    if (causality_before(self->order, own->send, send))
        return true;
    for (uint32_t i = 0; i < rivals && !by_predicate; i++)
        if (causality_before(self->order, self->rivals[i], send))
            return true;
    return false;
}

static uint32_t find_rivals(struct builder *self, struct message *own) {
    const struct message *end = self->messages + self->count;
    struct message *first = first_of(self, own);
    bool by_predicate =
        self->events[own->receive].op.also_fits != 0 || goes_by_predicate(first, own);
    uint32_t count = 0, behind = 0;
    for (const struct message *at = first; at < end && at->mailbox == own->mailbox; at++) {
        if (at == own || at->receive < own->receive)
            continue;
        uint32_t place = behind;
        behind += at > own && was_there(at, own->receive);
        if (by_predicate && is_refused(self, own, at, place))
            continue;
        if (!causality_before(self->order, own->receive, at->send) &&
            !comes_behind(self, own, at->send, count, by_predicate))
            self->rivals[count++] = at->send;
    }
    return count;
}

static void add_set(struct builder *self, uint32_t receive, uint32_t count) {
    struct race_sets *sets = self->sets;
    if (count == 0)
        return;
    sets->list = pool_grow(sets->pool, sets->list, &sets->capacity, (size_t)sets->count + 1,
                           sizeof *sets->list);
    sets->sends = pool_grow(sets->pool, sets->sends, &sets->send_capacity,
                            (size_t)sets->send_count + count, sizeof *sets->sends);
    sets->list[sets->count++] = (struct race_set){receive, sets->send_count, count};
    for (uint32_t i = 0; i < count; i++)
        sets->sends[sets->send_count++] = self->rivals[i];
}

static void find_sets(struct builder *self) {
    for (uint32_t i = 0; i < self->event_count; i++) {
        const struct event *event = &self->events[i];
        if (!op_receives(event->op.kind) || !succeeded(event))
            continue;
        struct message *own = message_of(self, event);
        if (own != NULL && own->receive == i)
            add_set(self, i, find_rivals(self, own));
    }
}

void race_sets_init(struct race_sets *sets, const struct causality *order) {
    size_t count = order->events.count;
    struct builder self = {.sets = sets,
                           .order = order,
                           .events = order->events.list,
                           .event_count = order->events.count};
    *sets = (struct race_sets){.pool = order->pool};
    if (!order->complete)
        return;
    self.messages = pool_alloc(sets->pool, count * sizeof *self.messages);
    self.rivals = pool_alloc(sets->pool, count * sizeof *self.rivals);
    find_messages(&self);
    find_receives(&self);
    find_sets(&self);
    pool_free(sets->pool, self.messages, count * sizeof *self.messages);
    pool_free(sets->pool, self.rivals, count * sizeof *self.rivals);
}

void race_sets_destroy(struct race_sets *sets) {
    pool_free(sets->pool, sets->list, sets->capacity * sizeof *sets->list);
    pool_free(sets->pool, sets->sends, sets->send_capacity * sizeof *sets->sends);
    *sets = (struct race_sets){.pool = sets->pool};
}
