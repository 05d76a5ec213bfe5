/* deliver.c - the first entry of a machine's outbox is delivered: a send, an announcement, or
 * the end of its action.
 *
 * An unreliable channel may lose or double an event, which is a choice. A receiver that has
 * halted, or whose queue is full, does not get the event. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/session.h"
#include "substrates/native/machines/step.h"
#include "substrates/native/tasks/operation.h"

enum { TEXT_MAX = 200 };

/* --- notes for readers of the trace ---------------------------------------------------------- */

const char *machine_type_name(uint32_t id) {
    const struct slot *slot = slot_of(id);
    return slot->machine.table != NULL ? slot->machine.table->type->name : "nobody";
}

void machine_note(struct event *event, const char *format, ...) {
    struct task *task = rt.current;
    char text[TEXT_MAX];
    va_list list;
    if (!rt.host->evidence)
        return;
    rt.current = NULL;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    event->note = execution_add_text(rt.session->live.current, text);
    rt.current = task;
}

/* --- delivering ----------------------------------------------------------------------------- */

enum fate { DELIVERED, LOST, DOUBLED };
static const char *const fates[] = {
    [DELIVERED] = "", [LOST] = " (lost)", [DOUBLED] = " (it will come twice)"};
uint64_t machine_event_number(uint32_t number) {
    return rt.session->live.states.remembered ? 0 : number;
}

static void deliver_announce(struct slot *slot, const struct outgoing *first, struct event *event) {
    const struct machine_event *what = first->what;
    char payload[MACHINE_PAYLOAD_MAX];
    memcpy(payload, first->payload, first->size);
    slot_sent(slot);
    machine_note(event, "%s", what->name);
    happened(event);
    monitors_see(what, payload, slot->id, 0);
}

/* What an unreliable channel does with the event. The first choice is that it delivers the
 * event. */
static enum fate fate_of(struct task *task, const struct machine_channel *channel) {
    uint32_t chosen = choose(task, CHOICE_VALUE, 1u + channel->loses + channel->doubles);
    if (chosen == 0)
        return DELIVERED;
    return chosen == 1 && channel->loses ? LOST : DOUBLED;
}

/* Returns true if the event is dropped because the queue is full. */
static bool too_many(struct slot *to, const struct machine_channel *channel,
                     const struct machine_event *what, uint64_t pc) {
    if (to->queue_count < machine_most_at(to, channel))
        return false;
    if (machine_full_at(to, channel) != MACHINE_FULL_FAILS)
        return true;
    machine_wrong(FINDING_QUEUE, pc, "event %s is one too many for %s %u: %u wait", what->name,
                  to->machine.table->type->name, to->id, to->queue_count);
}

/* Whether the event arrives. Otherwise no machine ever sees it. */
static bool arrives(struct slot *to, const struct outgoing *first, enum fate fate, uint64_t pc) {
    const struct machine_event *what = first->what;
    if (fate == LOST)
        return false;
    if (slot_has_halted(to)) {
        if (rt.session->request.options.halted == HALTED_REPORT)
            machine_wrong(FINDING_MACHINE, pc, "event %s is sent to %s %u, which has halted",
                          what->name, to->machine.table->type->name, to->id);
        return false;
    }
    return !too_many(to, &first->channel, what, pc);
}

/* The event stays in the outbox and comes once more, for sure if there is room. But it was sent
 * only once. */
static void stay(struct slot *slot, struct outgoing *first) {
    first->channel.loses = first->channel.doubles = false;
    first->again = true;
    slot_touch(slot);
}

/* A finding from here on ends the execution, so the event is recorded as it is now. */
static void record_early(const struct event *event) {
    struct execution *execution = rt.session->live.current;
    execution->events[execution->event_count - 1] = *event;
}

static void deliver_send(struct task *task, struct slot *slot, struct outgoing *first,
                         struct event *event) {
    struct slot *to = slot_numbered(first->to);
    const struct machine_event *what = first->what;
    char payload[MACHINE_PAYLOAD_MAX];
    if (to == NULL)
        machine_wrong(FINDING_MACHINE, event->op.pc,
                      "event %s is sent to machine %u, which does not exist", what->name,
                      first->to);
    enum fate fate = fate_of(task, &first->channel);
    machine_describe_channel(&event->op, to, &first->channel);
    if (event->op.room != 0)
        rt.session->result.observed.queues_matter = true;
    if (fate == LOST)
        event->op.message_flags |= MESSAGE_LOST;
    memcpy(payload, first->payload, first->size);
    machine_note(event, "%s to %s %u%s", what->name, machine_type_name(to->id), to->id,
                 fates[fate]);
    event->flags |= EVENT_FAILED;
    record_early(event);
    if (arrives(to, first, fate, event->op.pc)) {
        event->flags &= ~(uint32_t)EVENT_FAILED;
        if (slot_halts_idly(to))
            event->op.message_flags |= MESSAGE_WAKES;
        slot_push(to, what, slot->id, payload);
        event->number = machine_event_number(to->sequence);
    }
    if (fate == DOUBLED)
        stay(slot, first);
    else
        slot_sent(slot);
    happened(event);
    if (event->op.monitors != 0)
        monitors_see(what, payload, slot->id, to->id);
}

void machine_deliver(struct task *task, struct slot *slot) {
    struct outgoing *first = slot_outbox(slot);
    struct event *event = begin_event(task);
    switch ((enum outgoing_kind)first->kind) {
    case OUTGOING_SEND: deliver_send(task, slot, first, event); break;
    case OUTGOING_ANNOUNCE: deliver_announce(slot, first, event); break;
    case OUTGOING_CREATE: CHECK(!"by its machine, which stands there"); break;
    case OUTGOING_HALT:
    case OUTGOING_EXIT:
    case OUTGOING_STOP:
    case OUTGOING_FINDING: machine_deliver_end(slot, first, event); break;
    }
}
