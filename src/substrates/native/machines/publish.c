/* publish.c - publishes the operation of a machine's next step, and notes whether the machine
 * can move. */
#include "base/narrow.h"
#include "engine/session.h"
#include "event/op_kind.h"
#include "substrates/native/machines/machine.h"
#include "substrates/native/tasks/task.h"

static bool goes_by_predicate(const struct slot *slot) {
    if (slot->context != 0)
        return true;
    for (uint32_t i = 0; i < slot->machine.depth; i++) {
        const struct machine_state *state = &slot->machine.table->states[slot->machine.stack[i]];
        for (uint32_t j = 0; j < state->count; j++)
            if (state->rows[j].kind == MACHINE_ROW_DEFER)
                return true;
    }
    return false;
}

uint64_t machine_action_place(const struct machine *machine, const struct machine_event *event) {
    const struct machine_row *row = machine_row_for(machine, event);
    if (row == NULL || row->action == NULL)
        return (uint64_t)machine->table->type + 1;
    return (uint64_t)row->action +
           1; /* readers of stacks look up the instruction before the place */
}

static uint64_t action_place(struct slot *slot) {
    if (slot->take == NOTHING_TO_TAKE || slot->context != 0)
        return (uint64_t)slot->machine.table->type + 1;
    const struct message *message = (struct message *)(slot_queue(slot) + slot->take);
    return machine_action_place(&slot->machine, message->event);
}

static uint32_t own_bound(const struct slot *to) {
    return to->machine.table->queue_bound;
}

/* The number of events that may wait at the receiver when this one comes. */
uint32_t machine_most_at(const struct slot *to, const struct machine_channel *channel) {
    uint32_t own = own_bound(to);
    return channel->bound != 0 && channel->bound < own ? channel->bound : own;
}

/* A channel that would let more events wait than the receiver allows never reaches its own
 * bound. */
enum machine_full machine_full_at(const struct slot *to, const struct machine_channel *channel) {
    return channel->bound > own_bound(to) ? MACHINE_FULL_FAILS : channel->full;
}

/* Whether the number of waiting events matters in any case, because the channel says so. */
static bool is_bounded(const struct machine_channel *channel) {
    return channel->bound != 0 || channel->full == MACHINE_FULL_BLOCKS;
}

/* Otherwise the number matters only if there can be too many events. That is known when the
 * event is sent: others may send until then. */
static bool counts(const struct slot *to, const struct machine_channel *channel) {
    return is_bounded(channel) || to->sequence >= own_bound(to);
}

void machine_describe_channel(struct op *op, const struct slot *to,
                              const struct machine_channel *channel) {
    uint32_t most = machine_most_at(to, channel);
    op->message_flags = MESSAGE_MACHINE;
    if (is_bounded(channel))
        op->message_flags |= MESSAGE_BOUNDED;
    if (machine_full_at(to, channel) == MACHINE_FULL_BLOCKS)
        op->message_flags |= MESSAGE_WAITS;
    if (machine_full_at(to, channel) == MACHINE_FULL_DROPS)
        op->message_flags |= MESSAGE_DROPS;
    op->room = 0;
    if (counts(to, channel))
        op->room = saturate_u8(most);
}

bool machine_numbers_by_order(void) {
    return rt.session->request.options.numbers == NUMBERS_ORDER;
}

/* A number that no machine has yet belongs to the next machine, or to a later one. */
static void publish_receiver(struct op *op, const struct outgoing *first) {
    const struct slot *to = slot_numbered(first->to);
    op->message_flags = MESSAGE_MACHINE;
    op->receiver = NO_TASK;
    op->object = numbers_object();
    if (to == NULL)
        return;
    machine_describe_channel(op, to, &first->channel);
    op->receiver = to->id;
    op->object = (uint64_t)to;
}

static void publish_outgoing(struct slot *slot, const struct outgoing *first) {
    struct op *op = &task_at(slot->id)->op;
    *op = (struct op){.pc = first->pc};
    switch ((enum outgoing_kind)first->kind) {
    case OUTGOING_SEND:
        op->kind = OP_SEND;
        publish_receiver(op, first);
        op->monitors = first->again ? 0 : monitors_of(first->what);
        op->message = (uint64_t)first->what;
        break;
    case OUTGOING_CREATE:
        op->kind = OP_CREATE;
        op->target = NO_TASK;
        op->object = (uint64_t)slot_of(first->to);
        op->numbers = machine_numbers_by_order() ? numbers_object() : 0;
        op->type_name = (uint64_t)((const struct machine_type *)first->what)->name;
        break;
    case OUTGOING_ANNOUNCE:
        op->kind = OP_ANNOUNCE;
        op->object = monitors_of(first->what);
        op->message = (uint64_t)first->what;
        break;
    case OUTGOING_HALT:
    case OUTGOING_EXIT:
    case OUTGOING_STOP:
    case OUTGOING_FINDING: machine_publish_end(slot, first); break;
    }
}

static void publish_receive(struct slot *slot) {
    uint64_t pc = action_place(slot);
    task_at(slot->id)->op = (struct op){.kind = OP_RECEIVE,
                                        .message_flags = MESSAGE_MACHINE,
                                        .object = (uint64_t)slot,
                                        .by_predicate = goes_by_predicate(slot),
                                        .pc = pc};
}

/* The channel blocks, and the receiver has no room. */
static bool is_held(const struct outgoing *first) {
    if (first->channel.full != MACHINE_FULL_BLOCKS)
        return false;
    const struct slot *to = slot_numbered(first->to);
    return to != NULL && machine_full_at(to, &first->channel) == MACHINE_FULL_BLOCKS &&
           !slot_has_halted(to) && to->queue_count >= machine_most_at(to, &first->channel);
}

bool machine_ready(const struct slot *slot) {
    const struct outgoing *first = slot_outbox((struct slot *)slot);
    if (slot->outbox_bytes == 0)
        return slot->take != NOTHING_TO_TAKE;
    return first->kind == OUTGOING_SEND ? !is_held(first) : machine_end_ready(slot, first);
}

uint8_t machine_readiness[SESSION_TASKS_MAX];

static bool may_be_held(const struct slot *slot) {
    const struct outgoing *first = slot_outbox((struct slot *)slot);
    return slot->outbox_bytes != 0 && first->kind == OUTGOING_SEND &&
           first->channel.full == MACHINE_FULL_BLOCKS;
}

static enum standing standing_before(const struct outgoing *first) {
    bool waits =
        first->kind == OUTGOING_HALT && rt.session->request.options.halted != HALTED_REPORT;
    return waits ? STANDS_TO_HALT : STANDS_ALIKE;
}

enum standing machine_standing(const struct slot *slot) {
    if (slot->outbox_bytes != 0)
        return standing_before(slot_outbox((struct slot *)slot));
    if (slot->machine.halted)
        return STANDS_GONE;
    return goes_by_predicate(slot) ? STANDS_FOR_SOME : STANDS_FOR_ANY;
}

bool machine_ready_at_rest(uint32_t id) {
    if (machine_readiness[id] != READY_BY_RECEIVER)
        return machine_readiness[id] == READY_NOW;
    slots_freshen();
    return machine_ready(slot_of(id));
}

bool machines_stand(void) {
    for (uint32_t i = 0; i < live_tasks.count; i++)
        if (machine_ready_at_rest(live_tasks.ids[i]))
            return false;
    return true;
}

void machine_publish(struct slot *slot) {
    if (slot->machine.table->type->monitor)
        return;
    if (slot->outbox_bytes != 0)
        publish_outgoing(slot, slot_outbox(slot));
    else
        publish_receive(slot);
    machine_readiness[slot->id] = may_be_held(slot)     ? READY_BY_RECEIVER
                                  : machine_ready(slot) ? READY_NOW
                                                        : READY_NOT;
}
