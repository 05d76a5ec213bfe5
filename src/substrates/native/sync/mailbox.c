/* mailbox.c - the mailbox of <heddle/heddle.h>: an unbounded queue with selective receive. */
#include <heddle/heddle.h>

#include "stub/stub.h"
#include "substrates/native/interpose.h"
#include "substrates/native/memory/access.h"
#include "substrates/native/sync/object.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/spin.h"

struct receive {
    heddle_predicate *predicate; /* NULL: any message */
    void *context;
    bool matched; /* there is a message that the predicate accepts */
};

/* The reads of a predicate belong to the step that asks it. This holds with --races=explore too,
 * where an access would otherwise be an operation in the middle of another one. */
static bool takes(const struct receive *receive, uint64_t message) {
    struct task *task = rt.current;
    if (receive->predicate == NULL)
        return true;
    if (plain_accesses.explored)
        rt.current = NULL;
    bool taken = receive->predicate((void *)message, receive->context);
    rt.current = task;
    return taken;
}

static struct object_item *first_match(const struct object *mailbox,
                                       const struct receive *receive) {
    struct object_item *item = mailbox->items;
    while (item != NULL && !takes(receive, item->value))
        item = item->next;
    return item;
}

/* A bit for each message behind the one that is taken: whether the predicate would have accepted
 * it as well. Reductions need only the first 32. The reads of these calls are no accesses of the
 * program. */
static uint32_t matches_behind(const struct object_item *item, const struct receive *receive) {
    struct task *task = rt.current;
    uint32_t bits = 0;
    if (receive->predicate == NULL)
        return 0;
    rt.current = NULL;
    for (uint32_t i = 0; i < 32 && (item = item->next) != NULL; i++)
        bits |= (uint32_t)takes(receive, item->value) << i;
    rt.current = task;
    return bits;
}

static struct object *mailbox_object(struct task *task, struct heddle_mailbox *mailbox,
                                     uint64_t pc) {
    bool fresh;
    return object_at(task, mailbox, OBJECT_MAILBOX, pc, &fresh);
}

/* Predicates are code of the program, so they run on a fiber: on the receiver's before it waits,
 * on the sender's when a message comes. */
static void offer(const struct object *mailbox, uint64_t message) {
    for (uint32_t i = 0; i < live_tasks.count; i++) {
        struct task *waiting = live_task(i);
        if (waiting->op.kind == OP_RECEIVE && waiting->object == mailbox && waiting->receive &&
            takes(waiting->receive, message))
            waiting->receive->matched = true;
    }
}

EXPORT void heddle_send(struct heddle_mailbox *mailbox, void *message) {
    struct task *task = rt.current;
    if (task == NULL) {
        stub_send(mailbox, message);
        return;
    }
    struct object *object = mailbox_object(task, mailbox, CALLER);
    struct op op = {
        .kind = OP_SEND, .object = (uint64_t)mailbox, .message = (uint64_t)message, .pc = CALLER};
    struct event *event = perform(task, &op, NULL, object);
    event->number = ++object->mailbox.sent;
    object_push(object, (uint64_t)message, object->mailbox.sent);
    object->version++;
    task->effects++;
    offer(object, (uint64_t)message);
    happened(event);
}

/* A task that has its message already may be asked once more, when the execution ends. */
static bool receive_ready(const struct task *task) {
    return task->receive == NULL || task->receive->matched;
}

static const struct wait_ops receive_wait = {.ready = receive_ready};

static void *take(struct task *task, struct object *object, struct object_item *item,
                  struct event *event) {
    uint64_t sequence = item->number;
    void *message = (void *)object_remove(object, item);
    event->op.message = (uint64_t)message;
    event->number = sequence;
    object->version++;
    task->effects++;
    happened(event);
    return message;
}

/* A message is gone, so other tasks that wait for such a message may have to wait on. */
static void rematch(const struct object *mailbox) {
    for (uint32_t i = 0; i < live_tasks.count; i++) {
        struct task *waiting = live_task(i);
        if (waiting->op.kind == OP_RECEIVE && waiting->object == mailbox && waiting->receive)
            waiting->receive->matched = first_match(mailbox, waiting->receive) != NULL;
    }
}

static void *receive(struct task *task, struct heddle_mailbox *mailbox, struct receive *request,
                     uint64_t pc) {
    struct object *object = mailbox_object(task, mailbox, pc);
    struct op op = {.kind = OP_RECEIVE,
                    .object = (uint64_t)mailbox,
                    .by_predicate = request->predicate != NULL,
                    .pc = pc};
    task->receive = request;
    request->matched = first_match(object, request) != NULL;
    struct event *event = perform(task, &op, &receive_wait, object);
    struct object_item *item = first_match(object, request);
    CHECK(item != NULL);
    task->receive = NULL;
    event->op.also_fits = matches_behind(item, request);
    void *message = take(task, object, item, event);
    rematch(object);
    return message;
}

static bool try_receive(struct task *task, struct heddle_mailbox *mailbox, struct receive *request,
                        void **message, uint64_t pc) {
    struct object *object = mailbox_object(task, mailbox, pc);
    struct op op = {.kind = OP_TRY_RECEIVE,
                    .object = (uint64_t)mailbox,
                    .by_predicate = request->predicate != NULL,
                    .pc = pc};
    struct event *event = perform(task, &op, NULL, object);
    struct object_item *item = first_match(object, request);
    if (item == NULL) {
        event->flags |= EVENT_FAILED;
        spin_read(task, &object->version, sizeof object->version);
        happened(event);
        return false;
    }
    event->op.also_fits = matches_behind(item, request);
    *message = take(task, object, item, event);
    rematch(object);
    return true;
}

EXPORT void *heddle_receive_if(struct heddle_mailbox *mailbox, heddle_predicate *predicate,
                               void *context) {
    struct task *task = rt.current;
    struct receive request = {.predicate = predicate, .context = context};
    if (task == NULL)
        return stub_receive(mailbox, predicate, context);
    return receive(task, mailbox, &request, CALLER);
}

EXPORT bool heddle_try_receive_if(struct heddle_mailbox *mailbox, heddle_predicate *predicate,
                                  void *context, void **message) {
    struct task *task = rt.current;
    struct receive request = {.predicate = predicate, .context = context};
    if (task == NULL)
        return stub_try_receive(mailbox, predicate, context, message);
    return try_receive(task, mailbox, &request, message, CALLER);
}

EXPORT void *heddle_receive(struct heddle_mailbox *mailbox) {
    struct task *task = rt.current;
    struct receive request = {0};
    if (task == NULL)
        return stub_receive(mailbox, NULL, NULL);
    return receive(task, mailbox, &request, CALLER);
}

EXPORT bool heddle_try_receive(struct heddle_mailbox *mailbox, void **message) {
    struct task *task = rt.current;
    struct receive request = {0};
    if (task == NULL)
        return stub_try_receive(mailbox, NULL, NULL, message);
    return try_receive(task, mailbox, &request, message, CALLER);
}
