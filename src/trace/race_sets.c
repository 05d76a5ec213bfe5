/* race_sets.c - see race_sets.h. */
#include "trace/race_sets.h"

#include <stdlib.h>

#include "base/check.h"

enum { NOT_RECEIVED = UINT32_MAX, BITS = 32 };

struct message {
    uint64_t mailbox;
    uint64_t number;
    uint32_t send, receive; /* events */
};

struct builder {
    struct race_sets *sets;
    const struct causality *order;
    const struct trace *trace;
    struct message *messages; /* by mailbox, then in the order of their sends */
    uint32_t count;
    uint32_t *rivals; /* of the receive at hand: no two are ordered */
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
    const struct trace *trace = self->trace;
    self->messages = calloc((size_t)trace->event_count + 1, sizeof *self->messages);
    self->rivals = calloc((size_t)trace->event_count + 1, sizeof *self->rivals);
    CHECK(self->messages && self->rivals);
    for (uint32_t i = 0; i < trace->event_count; i++) {
        const struct event *event = &trace->events[i];
        if (event->op.kind == OP_SEND && succeeded(event))
            self->messages[self->count++] =
                (struct message){event->op.object, event->result, i, NOT_RECEIVED};
    }
    qsort(self->messages, self->count, sizeof *self->messages, compare_messages);
}

static struct message *message_of(const struct builder *self, const struct event *receive) {
    struct message key = {.mailbox = receive->op.object, .number = receive->result};
    return bsearch(&key, self->messages, self->count, sizeof key, compare_messages);
}

static void find_receives(struct builder *self) {
    for (uint32_t i = 0; i < self->trace->event_count; i++) {
        const struct event *event = &self->trace->events[i];
        if (!op_receives(event->op.kind) || !succeeded(event))
            continue;
        struct message *message = message_of(self, event);
        if (message != NULL && message->receive == NOT_RECEIVED && message->send < i)
            message->receive = i;
    }
}

/* Where the messages of a mailbox begin. */
static struct message *first_of(const struct builder *self, struct message *message) {
    while (message > self->messages && message[-1].mailbox == message->mailbox)
        message--;
    return message;
}

/* It waited when the receive happened. */
static bool was_there(const struct message *message, uint32_t receive) {
    return message->send < receive && message->receive > receive;
}

/* By what it passed over, or says that it would have taken. */
static bool goes_by_predicate(const struct message *first, const struct message *own) {
    for (const struct message *at = first; at < own; at++)
        if (was_there(at, own->receive))
            return true;
    return false;
}

/* Of a receive by a predicate: which of the messages that were there it would not have taken. */
static bool is_refused(const struct builder *self, const struct message *own,
                       const struct message *message, uint32_t place_behind) {
    if (!was_there(message, own->receive))
        return false;
    uint32_t taken = self->trace->events[own->receive].op.target;
    return message < own || (place_behind < BITS && !(taken >> place_behind & 1));
}

/* Must one of these, or the own message, be sent before it? */
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
        self->trace->events[own->receive].op.target != 0 || goes_by_predicate(first, own);
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
    struct race_set *set = TRACE_ADD(sets->list, sets->count);
    *set = (struct race_set){receive, sets->send_count, count};
    for (uint32_t i = 0; i < count; i++)
        *(uint32_t *)TRACE_ADD(sets->sends, sets->send_count) = self->rivals[i];
}

void race_sets_init(struct race_sets *sets, const struct causality *order) {
    struct builder self = {.sets = sets, .order = order, .trace = order->trace};
    *sets = (struct race_sets){0};
    if (!order->complete)
        return;
    find_messages(&self);
    find_receives(&self);
    for (uint32_t i = 0; i < self.trace->event_count; i++) {
        const struct event *event = &self.trace->events[i];
        if (!op_receives(event->op.kind) || !succeeded(event))
            continue;
        struct message *own = message_of(&self, event);
        if (own != NULL && own->receive == i)
            add_set(&self, i, find_rivals(&self, own));
    }
    free(self.messages);
    free(self.rivals);
}

void race_sets_destroy(struct race_sets *sets) {
    free(sets->list);
    free(sets->sends);
    *sets = (struct race_sets){0};
}
