/* slot.c - a machine as bytes: its life, its queue, its outbox. */
#include <string.h>

#include "base/check.h"
#include "engine/session.h"
#include "substrates/native/machines/machine.h"

/* --- life ----------------------------------------------------------------------------------- */

void slot_clear(struct slot *slot) {
    slot->machine = (struct machine){.table = slot->machine.table};
    slot->children = slot->queue_count = slot->queue_bytes = slot->outbox_bytes = 0;
    slot->context = 0;
    slot->settled_bytes = 0;
}

void slot_begin(struct slot *slot, const struct machine_table *table, const void *memory) {
    uint32_t id = (uint32_t)(((uint64_t)slot - MACHINE_BASE) / MACHINE_SLOT);
    slot_make_known(id);
    CHECK(slot->machine.table == NULL);
    slot->machine.table = table;
    slot->number = 0;
    slot->sequence = 0;
    memset(slot->memory, 0, rounded(table->type->size));
    memcpy(slot->memory, memory, table->type->size);
    slot_touch(slot);
}

void slot_halt(struct slot *slot) {
    slot_clear(slot);
    slot->machine.halted = true;
    memset(slot->memory, 0, slot->machine.table->type->size);
    slot_touch(slot);
}

/* The waiting events are never taken, so only their number matters. */
void slot_finish(struct slot *slot) {
    uint32_t outbox = slot->outbox_bytes, count = slot->queue_count;
    slot_halt(slot);
    slot->outbox_bytes = outbox;
    slot->queue_count = count;
    slot->queue_bytes = count * (uint32_t)sizeof(struct message);
    memset(slot_queue(slot), 0, slot->queue_bytes);
}

bool slot_halts_idly(struct slot *slot) {
    return slot->machine.halted && slot->outbox_bytes != 0 && slot->queue_count == 0 &&
           slot_outbox(slot)->kind == OUTGOING_HALT &&
           rt.session->request.options.halted != HALTED_REPORT;
}

/* --- the queue ------------------------------------------------------------------------------ */

static struct message *message_at(struct slot *slot, uint32_t at) {
    return (struct message *)(slot_queue(slot) + at);
}

void message_fill(struct message *message, const struct machine_event *event, uint32_t sender,
                  const void *payload) {
    uint32_t size = rounded(event->size);
    *message = (struct message){event, sender, size};
    memset(message->payload, 0, size);
    memcpy(message->payload, payload, event->size);
}

void slot_push(struct slot *slot, const struct machine_event *event, uint32_t sender,
               const void *payload) {
    struct message *message = message_at(slot, slot->queue_bytes);
    CHECK(slot->queue_count < MACHINE_QUEUE_MAX);
    if (slot->machine.halted)
        *message = (struct message){0};
    else
        message_fill(message, event, sender, payload);
    slot_numbers(slot)[slot->queue_count++] = ++slot->sequence;
    slot->queue_bytes += message_bytes(message);
    slot_touch(slot);
}

static uint32_t index_of(struct slot *slot, uint32_t at) {
    uint32_t index = 0;
    for (uint32_t i = 0; i < at; i += message_bytes(message_at(slot, i)))
        index++;
    return index;
}

void slot_take(struct slot *slot, struct machine_message *message, void *payload,
               uint32_t *number) {
    struct message *taken = message_at(slot, slot->take);
    uint32_t bytes = message_bytes(taken), index = index_of(slot, slot->take);
    uint32_t *numbers = slot_numbers(slot);
    *message = (struct machine_message){taken->event, taken->sender, payload};
    *number = numbers[index];
    memcpy(payload, taken->payload, taken->size);
    slot->queue_bytes -= bytes;
    slot->queue_count--;
    slot->settled_bytes = 0;
    memmove(taken, (char *)taken + bytes, slot->queue_bytes - slot->take);
    memmove(numbers + index, numbers + index + 1, (slot->queue_count - index) * sizeof *numbers);
    slot_touch(slot);
}

static bool is_wanted(const struct slot *slot, const struct machine_event *event) {
    for (uint32_t i = 0; i < WANTED_MAX && slot->wanted[i] != NULL; i++)
        if (slot->wanted[i] == event)
            return true;
    return false;
}

bool slot_takes(const struct slot *slot, const struct machine_event *event) {
    if (slot->context != 0)
        return is_wanted(slot, event);
    const struct machine_row *row = machine_row_for(&slot->machine, event);
    return row == NULL || row->kind != MACHINE_ROW_DEFER;
}

uint32_t slot_find_takable(struct slot *slot) {
    for (uint32_t at = 0; at < slot->queue_bytes; at += message_bytes(message_at(slot, at)))
        if (slot_takes(slot, message_at(slot, at)->event))
            return at;
    return NOTHING_TO_TAKE;
}

/* --- the outbox ----------------------------------------------------------------------------- */

bool slot_has_room(const struct slot *slot, size_t size) {
    return slot->outbox_bytes + outgoing_bytes((uint32_t)size) <= OUTBOX_MAX;
}

struct outgoing *slot_send(struct slot *slot, size_t size) {
    uint32_t bytes = outgoing_bytes((uint32_t)size);
    struct outgoing *outgoing = (struct outgoing *)((char *)slot_outbox(slot) + slot->outbox_bytes);
    CHECK(slot->outbox_bytes + bytes <= SLOT_NUMBERS - SLOT_OUTBOX);
    memset(outgoing, 0, bytes);
    outgoing->size = (uint32_t)size;
    slot->outbox_bytes += bytes;
    slot_touch(slot);
    return outgoing;
}

void slot_sent(struct slot *slot) {
    uint32_t bytes = outgoing_bytes(slot_outbox(slot)->size);
    slot->outbox_bytes -= bytes;
    memmove(slot_outbox(slot), (char *)slot_outbox(slot) + bytes, slot->outbox_bytes);
    slot_touch(slot);
}
