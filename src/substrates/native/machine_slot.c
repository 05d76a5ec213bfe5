/* machine_slot.c - what a machine is, as bytes: its queue, its outbox, saving, and recognising it. */
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/check.h"
#include "substrates/native/machine.h"

static struct fingerprint total;          /* the sum of all prints */
static uint32_t known_ids[MACHINE_SLOTS]; /* that any execution has had */
static uint32_t known_count;
static uint32_t changed_ids[MACHINE_SLOTS];
static uint32_t changed_count;

/* --- life ----------------------------------------------------------------------------------- */

static void make_known(uint32_t id) {
    if (known_count == 0)
        memory_map(MACHINE_BASE, MACHINE_SLOTS * MACHINE_SLOT);
    if (!slot_of(id)->known)
        known_ids[known_count++] = id;
    slot_of(id)->known = true;
    slot_of(id)->id = id;
}

void slot_touch(struct slot *slot) {
    if (slot->changed)
        return;
    slot->changed = true;
    changed_ids[changed_count++] = slot->id;
}

static void clear(struct slot *slot) {
    slot->machine = (struct machine){.table = slot->machine.table};
    slot->children = slot->queue_count = slot->queue_bytes = slot->outbox_bytes = 0;
    slot->context = 0;
}

static void forget(struct slot *slot) {
    clear(slot);
    slot->machine.table = NULL;
    slot->print = (struct fingerprint){{0}};
    slot->changed = false;
}

void slots_reset(void) {
    for (uint32_t i = 0; i < known_count; i++)
        forget(slot_of(known_ids[i]));
    total = (struct fingerprint){{0}};
    changed_count = 0;
}

void slot_begin(struct slot *slot, const struct machine_table *table, const void *memory) {
    uint32_t id = (uint32_t)(((uint64_t)slot - MACHINE_BASE) / MACHINE_SLOT);
    make_known(id);
    CHECK(slot->machine.table == NULL);
    slot->machine.table = table;
    slot->sequence = 0;
    memset(slot->memory, 0, rounded(table->type->size));
    memcpy(slot->memory, memory, table->type->size);
    slot_touch(slot);
}

void slot_end(struct slot *slot) {
    uint32_t outbox_bytes = slot->outbox_bytes;
    clear(slot);
    slot->outbox_bytes = outbox_bytes;
    slot->machine.halted = true;
    memset(slot->memory, 0, slot->machine.table->type->size);
    slot_touch(slot);
}

/* --- the queue ------------------------------------------------------------------------------ */

static struct message *message_at(struct slot *slot, uint32_t at) {
    return (struct message *)(slot_queue(slot) + at);
}

static uint32_t message_bytes(const struct message *message) {
    return (uint32_t)sizeof *message + message->size;
}

bool slot_push(struct slot *slot, const struct machine_event *event, uint32_t sender,
               const void *payload) {
    uint32_t size = rounded(event->size);
    struct message *message = message_at(slot, slot->queue_bytes);
    if ((char *)message + sizeof *message + size > (char *)slot + SLOT_OUTBOX ||
        slot->queue_count == (SLOT_END - SLOT_NUMBERS) / sizeof(uint32_t))
        return false;
    *message = (struct message){event, sender, size};
    memset(message->payload, 0, size);
    memcpy(message->payload, payload, event->size);
    slot_numbers(slot)[slot->queue_count++] = ++slot->sequence;
    slot->queue_bytes += message_bytes(message);
    slot_touch(slot);
    return true;
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

static uint32_t find_takable(struct slot *slot) {
    for (uint32_t at = 0; at < slot->queue_bytes; at += message_bytes(message_at(slot, at)))
        if (slot_takes(slot, message_at(slot, at)->event))
            return at;
    return NOTHING_TO_TAKE;
}

/* --- the outbox ----------------------------------------------------------------------------- */

static uint32_t outgoing_bytes(uint32_t size) {
    return (uint32_t)sizeof(struct outgoing) + rounded(size);
}

struct outgoing *slot_send(struct slot *slot, size_t size) {
    uint32_t bytes = outgoing_bytes((uint32_t)size);
    struct outgoing *outgoing = (struct outgoing *)((char *)slot_outbox(slot) + slot->outbox_bytes);
    if (slot->outbox_bytes + bytes > SLOT_NUMBERS - SLOT_OUTBOX)
        return NULL;
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

/* --- recognising ---------------------------------------------------------------------------- */

static const char *state_of(const struct slot *slot) {
    return (const char *)&slot->machine;
}

static uint32_t state_bytes(struct slot *slot) {
    return (uint32_t)(slot_queue(slot) - state_of(slot)) + slot->queue_bytes;
}

static uint32_t stack_bytes(const struct slot *slot) {
    return slot->context != 0 ? (uint32_t)(slot_stack_top(slot->id) - slot->context) : 0;
}

/* Parts that are mostly empty. */
static void add_rest(struct slot *slot, struct fingerprint *print) {
    XXH128_hash_t outbox =
        XXH3_128bits_withSeed(slot_outbox(slot), slot->outbox_bytes, print->word[0]);
    XXH128_hash_t stack =
        XXH3_128bits_withSeed((void *)slot->context, stack_bytes(slot), outbox.low64);
    print->word[0] += outbox.low64 ^ stack.low64;
    print->word[1] += outbox.high64 ^ stack.high64;
    if (slot->context == 0)
        return;
    XXH128_hash_t wanted = XXH3_128bits_withSeed(slot->wanted, sizeof slot->wanted, print->word[0]);
    print->word[0] += wanted.low64;
    print->word[1] += wanted.high64;
}

/* Not where its table is: that depends on which type was used first in this process, and states are
 * remembered for longer. */
static void print_slot(struct slot *slot) {
    uint64_t seed = (uint64_t)slot->machine.table->type + slot->id;
    uint32_t from = offsetof(struct machine, depth);
    XXH128_hash_t hash =
        XXH3_128bits_withSeed(state_of(slot) + from, state_bytes(slot) - from, seed);
    slot->print = (struct fingerprint){{hash.low64, hash.high64}};
    if (slot->outbox_bytes != 0 || slot->context != 0)
        add_rest(slot, &slot->print);
}

static void add_to_total(const struct slot *slot, uint64_t sign) {
    total.word[0] += sign * slot->print.word[0];
    total.word[1] += sign * slot->print.word[1];
}

/* Its task may have been wiped since it was used last: another execution began from main. */
static void bind_task(struct slot *slot, struct task *task) {
    task->id = slot->id;
    task->machine = slot;
    if (task->stack_low == 0)
        task->stack_low = slot_stack_top(slot->id);
}

/* A state that was put back has other machines than the one before it. */
static void settle_task(struct slot *slot) {
    struct task *task = &rt.tasks[slot->id];
    bool there = slot->machine.table != NULL;
    bool lives = there && !(slot->machine.halted && slot->outbox_bytes == 0);
    bool lived = task->state == TASK_LIVE || task->state == TASK_FRESH;
    if (lived && !lives)
        task_remove_live(slot->id);
    if (lives && !lived) {
        bind_task(slot, task);
        task->state = TASK_LIVE;
        task_insert_live(slot->id);
    }
    if (!lives)
        task->state = there ? TASK_ENDED : TASK_UNUSED;
}

static void settle(struct slot *slot) {
    add_to_total(slot, UINT64_MAX); /* minus 1 */
    slot->changed = false;
    if (slot->id < SESSION_TASKS)
        settle_task(slot);
    if (slot->machine.table == NULL) { /* it was there, in another state */
        slot->print = (struct fingerprint){{0}};
        return;
    }
    print_slot(slot);
    add_to_total(slot, 1);
    slot->take = find_takable(slot);
    machine_publish(slot);
}

void slots_settle(void) {
    for (uint32_t i = 0; i < changed_count; i++)
        settle(slot_of(changed_ids[i]));
    changed_count = 0;
}

/* Now and then all of it is hashed anew: a change that nobody told of would be a state confused with
 * another. */
static void audit(void) {
    struct fingerprint before = total;
    for (uint32_t i = 0; i < known_count; i++)
        if (slot_of(known_ids[i])->machine.table != NULL)
            slot_touch(slot_of(known_ids[i]));
    slots_settle();
    CHECK(fingerprint_equal(&before, &total));
}

void slots_fingerprint(struct fingerprint *out) {
    enum { AUDIT_EVERY = 1024 };
    static uint32_t asked;
    if (asked++ % AUDIT_EVERY == 0)
        audit();
    *out = total;
}

/* --- saving --------------------------------------------------------------------------------- */

static void write_slot(struct image *image, struct slot *slot) {
    image_write_number(image, (uint64_t)slot->sequence << 32 | state_bytes(slot));
    image_write(image, state_of(slot), state_bytes(slot));
    image_write(image, slot_outbox(slot), slot->outbox_bytes);
    image_write(image, slot_numbers(slot), slot->queue_count * sizeof(uint32_t));
    if (slot->context == 0)
        return;
    image_write(image, (void *)slot->context, stack_bytes(slot));
    image_write(image, slot->wanted, sizeof slot->wanted);
}

/* Most machines are as they were: nothing is written where nothing differs. */
static void read_part(struct image *image, void *to, uint32_t size, bool *differs) {
    const void *from = image_skip(image, size);
    if (size != 0 && memcmp(to, from, size) != 0) {
        memcpy(to, from, size);
        *differs = true;
    }
}

static void read_slot(struct image *image, struct slot *slot) {
    uint64_t word = image_read_number(image);
    bool differs = false;
    uint32_t outbox = slot->outbox_bytes;
    slot->sequence = (uint32_t)(word >> 32);
    read_part(image, &slot->machine, (uint32_t)word, &differs);
    differs |= outbox != slot->outbox_bytes;
    read_part(image, slot_outbox(slot), slot->outbox_bytes, &differs);
    image_read(image, slot_numbers(slot), slot->queue_count * sizeof(uint32_t));
    if (slot->context != 0) {
        read_part(image, (void *)slot->context, stack_bytes(slot), &differs);
        read_part(image, slot->wanted, sizeof slot->wanted, &differs);
    }
    if (differs)
        slot_touch(slot);
}

void slots_write(struct image *image) {
    for (uint32_t i = 0; i < known_count; i++) {
        struct slot *slot = slot_of(known_ids[i]);
        if (slot->machine.table == NULL)
            continue;
        image_part(image);
        image_write_number(image, slot->id);
        write_slot(image, slot);
    }
    image_part(image);
    image_write_number(image, NO_TASK);
}

static void remove_slot(struct slot *slot) {
    clear(slot);
    slot->machine.table = NULL;
    slot_touch(slot);
}

/* Those that are known come in the order in which they became known. */
void slots_read(struct image *image) {
    uint64_t next = image_read_number(image);
    for (uint32_t i = 0; i < known_count; i++) {
        struct slot *slot = slot_of(known_ids[i]);
        if (slot->id == next) {
            read_slot(image, slot);
            next = image_read_number(image);
        } else if (slot->machine.table != NULL) {
            remove_slot(slot);
        }
    }
    CHECK(next == NO_TASK);
}
