/* learn.c - what a machine's step has done is learned when it is made (known.h). A step that is known
 * and is made all the same is compared with what was expected. */
#include <stdio.h>

#include "engine/session.h"
#include "event/op_kind.h"
#include "event/event.h"
#include "substrates/native/machines/foretell.h"
#include "substrates/native/machines/known.h"
#include "substrates/native/machines/queue.h"
#include "substrates/native/system.h"
#include "substrates/native/tasks/task.h"

/* The step that is under way, and is not known. */
static struct {
    bool wanted; /* the step may be learned */
    struct parts parts;
    struct stand before[PARTS_MAX];
    uint32_t kind; /* of its operation */
    uint32_t message, most;
    uint32_t events, decisions;
    struct stand stands[MACHINE_SLOTS];
    uint32_t slots;
    uint64_t numbering;
    bool audited; /* the outcome is known, and compared */
    struct foretold expected;
} under_way;

/* The event that is sent, as it will be in a queue; and how many may be there. */
static void look_at_outgoing(uint32_t id) {
    _Alignas(struct message) char room[MESSAGE_MAX];
    const struct outgoing *first = slot_outbox(slot_of(id));
    message_fill((struct message *)room, first->what, id, first->payload);
    under_way.message = queue_message((const struct message *)room);
    under_way.most = 0;
    if (under_way.kind == OP_SEND)
        under_way.most = machine_most_at(slot_of(under_way.parts.ids[under_way.parts.receiver]),
                                         &first->channel);
}

void known_begin(uint32_t id) {
    const struct execution *execution = rt.session->live.current;
    under_way.wanted = foretell_is_on() && parts_find(id, &under_way.parts);
    if (!under_way.wanted)
        return;
    under_way.audited = foretell(id, &under_way.parts, &under_way.expected);
    parts_look(&under_way.parts, under_way.before);
    under_way.kind = task_at(id)->op.kind;
    if (under_way.kind != OP_RECEIVE)
        look_at_outgoing(id);
    under_way.events = execution->event_count;
    under_way.decisions = execution->decision_count;
    under_way.slots = slots_stands(under_way.stands);
    under_way.numbering = slots_numbering();
}

/* The step had one event and no choice, and no other slot has changed. */
static bool is_plain(void) {
    const struct execution *execution = rt.session->live.current;
    return progress.outcome == OUTCOME_RUNNING && execution->event_count == under_way.events + 1 &&
           execution->decision_count == under_way.decisions &&
           under_way.numbering == slots_numbering() &&
           slots_differ_only(under_way.stands, under_way.slots, under_way.parts.ids,
                             under_way.parts.count);
}

static void describe(struct foretold *foretold) {
    const struct event *event = &rt.session->live.current->events[under_way.events];
    parts_look(&under_way.parts, foretold->stands);
    foretold->event = (struct known_event){event->op.value, event->op.target, event->op.order,
                                           event->op.size, (uint16_t)event->flags};
}

static void learn_monitors(const struct foretold *foretold, uint32_t receiver) {
    const struct parts *parts = &under_way.parts;
    for (uint32_t i = parts->monitors; i < parts->count; i++)
        reaction_keep(&(struct known_reaction){
            .key = {under_way.before[i].version, under_way.message, receiver, under_way.numbering},
            .after = foretold->stands[i],
        });
}

/* Whether the queue of the receiver has become what foretell_delivery() says, and nothing else has
 * changed but the version of the sender. */
static bool is_usual_delivery(const struct foretold *foretold, bool arrives) {
    const struct parts *parts = &under_way.parts;
    struct stand before[PARTS_MAX];
    __builtin_memcpy(before, under_way.before, sizeof before);
    before[0].version = foretold->stands[0].version;
    if (arrives)
        before[parts->receiver].queue =
            queue_push(before[parts->receiver].queue, under_way.message);
    return same_stand(before[0], foretold->stands[0]) &&
           same_stand(before[parts->receiver], foretold->stands[parts->receiver]);
}

static void learn_delivery(const struct foretold *foretold) {
    bool sends = under_way.kind == OP_SEND;
    struct delivery *delivery = delivery_of(&under_way.parts, under_way.before, sends);
    bool arrives = delivery == &content_at(under_way.before[0].version)->deliveries[0] && sends;
    if (delivery == NULL || under_way.message == NO_VERSION ||
        !is_usual_delivery(foretold, arrives))
        return;
    *delivery = (struct delivery){
        .known = true,
        .event = foretold->event,
        .after = foretold->stands[0].version,
        .message = under_way.message,
        .most = arrives ? under_way.most : 0,
        .numbering = under_way.numbering,
    };
    learn_monitors(foretold, parts_receiver(&under_way.parts, sends));
}

/* A machine that halts forgets its queue. */
static void learn_reaction(const struct foretold *foretold) {
    struct stand before = under_way.before[0], after = foretold->stands[0];
    bool takes_any = content_at(before.version)->standing == STANDS_FOR_ANY &&
                     queue_at(before.queue)->count > 0 && !content_at(after.version)->halted;
    struct known_reaction reaction = {.after = after, .event = foretold->event};
    if (takes_any && after.queue == queue_rest(before.queue))
        reaction.key = (struct reaction_key){before.version, queue_at(before.queue)->first,
                                             TO_ITSELF, under_way.numbering};
    else
        reaction.key =
            (struct reaction_key){before.version, before.queue, WITH_QUEUE, under_way.numbering};
    reaction_keep(&reaction);
}

static bool is_as_expected(const struct foretold *foretold) {
    const struct foretold *expected = &under_way.expected;
    for (uint32_t i = 0; i < under_way.parts.count; i++)
        if (!same_stand(foretold->stands[i], expected->stands[i]))
            return false;
    return foretold->event.target == expected->event.target &&
           foretold->event.value == expected->event.value &&
           foretold->event.flags == expected->event.flags;
}

/* The machine has a state that is not in its slot. */
static void complain(void) {
    struct session *session = rt.session;
    snprintf(session->result.difference.text, sizeof session->result.difference.text,
             "machine %u has reacted differently to the same event in the same state: it uses "
             "memory that is not its own",
             under_way.parts.ids[0]);
    progress.outcome = OUTCOME_ERROR;
}

void known_learn(void) {
    struct foretold foretold;
    if (!under_way.wanted)
        return;
    bool plain = is_plain();
    if (plain)
        describe(&foretold);
    bool audited = under_way.audited && progress.outcome == OUTCOME_RUNNING;
    if (audited && !(plain && is_as_expected(&foretold)))
        complain();
    else if (!plain || !have_numbers(under_way.before, under_way.parts.count) ||
             !have_numbers(foretold.stands, under_way.parts.count))
        return;
    else if (under_way.kind == OP_RECEIVE)
        learn_reaction(&foretold);
    else
        learn_delivery(&foretold);
}
