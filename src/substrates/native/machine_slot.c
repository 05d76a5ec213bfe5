/* machine_slot.c - what a machine is, as bytes: its queue, its outbox, saving, and recognising it. */
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/check.h"
#include "substrates/native/machine_version.h"

static struct fingerprint total;          /* the sum of all prints */
static uint32_t known_ids[MACHINE_SLOTS]; /* that any execution has had */
static uint32_t versions[MACHINE_SLOTS];  /* of the slots in known_ids, as they were settled last */
static uint32_t known_count;
static uint32_t changed_ids[MACHINE_SLOTS];
static uint32_t changed_count;

/* --- life ----------------------------------------------------------------------------------- */

static void make_known(uint32_t id) {
    if (known_count == 0)
        memory_map(MACHINE_BASE, MACHINE_SLOTS * MACHINE_SLOT);
    struct slot *slot = slot_of(id);
    if (!slot->known) {
        slot->index = known_count++;
        known_ids[slot->index] = id;
    }
    slot->known = true;
    slot->id = id;
}

void slot_touch(struct slot *slot) {
    if (slot->changed)
        return;
    slot->changed = true;
    versions[slot->index] = CHANGED_VERSION;
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
    versions[slot->index] = NO_VERSION;
    slot->changed = false;
}

uint32_t slots_numbered(void) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < known_count; i++)
        count += slot_of(known_ids[i])->machine.table != NULL && slot_of(known_ids[i])->number != 0;
    return count;
}

static bool has_number(uint32_t id, uint32_t number) {
    return slot_of(id)->known && slot_of(id)->machine.table != NULL &&
           slot_of(id)->number == number;
}

/* Mostly it is the one that had the number in the execution before. */
struct slot *slot_numbered(uint32_t number) {
    static uint32_t ids[MACHINE_SLOTS];
    if (number == 0 || number >= MACHINE_SLOTS)
        return NULL;
    for (uint32_t i = 0; !has_number(ids[number], number) && i < known_count; i++)
        ids[number] = known_ids[i];
    return has_number(ids[number], number) ? slot_of(ids[number]) : NULL;
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
    slot->number = 0;
    slot->sequence = 0;
    memset(slot->memory, 0, rounded(table->type->size));
    memcpy(slot->memory, memory, table->type->size);
    slot_touch(slot);
}

void slot_halt(struct slot *slot) {
    clear(slot);
    slot->machine.halted = true;
    memset(slot->memory, 0, slot->machine.table->type->size);
    slot_touch(slot);
}

/* The events that wait are never taken: all that matters is how many they are. */
void slot_finish(struct slot *slot) {
    uint32_t outbox = slot->outbox_bytes, count = slot->queue_count;
    slot_halt(slot);
    slot->outbox_bytes = outbox;
    slot->queue_count = count;
    slot->queue_bytes = count * (uint32_t)sizeof(struct message);
    memset(slot_queue(slot), 0, slot->queue_bytes);
}

void slots_halt_idle(void) {
    for (uint32_t i = 0; i < known_count; i++)
        if (slot_halts_idly(slot_of(known_ids[i])))
            slot_halt(slot_of(known_ids[i]));
}

/* --- the queue ------------------------------------------------------------------------------ */

static struct message *message_at(struct slot *slot, uint32_t at) {
    return (struct message *)(slot_queue(slot) + at);
}

static uint32_t message_bytes(const struct message *message) {
    return (uint32_t)sizeof *message + message->size;
}

static void fill_message(struct message *message, const struct machine_event *event,
                         uint32_t sender, const void *payload) {
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
        fill_message(message, event, sender, payload);
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

static uint64_t print_outbox(struct slot *slot, uint64_t seed) {
    const char *at = (const char *)slot_outbox(slot), *end = at + slot->outbox_bytes;
    while (at < end) {
        const struct outgoing *outgoing = (const struct outgoing *)at;
        uint32_t bytes = outgoing_bytes(outgoing->size);
        seed = XXH3_64bits_withSeed(&outgoing->kind, bytes - offsetof(struct outgoing, kind), seed);
        at += bytes;
    }
    return seed;
}

/* Parts that are mostly empty. */
static void add_rest(struct slot *slot, struct fingerprint *print) {
    XXH128_hash_t stack = XXH3_128bits_withSeed((void *)slot->context, stack_bytes(slot), slot->id);
    print->word[0] += print_outbox(slot, print->word[0]) ^ stack.low64;
    print->word[1] += print_outbox(slot, print->word[1]) ^ stack.high64;
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
    bool lives = there && !slot_has_halted(slot) && !slot_halts_idly(slot);
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

/* --- versions ------------------------------------------------------------------------------- */

static uint32_t wanted_bytes(uint32_t stack) {
    return stack != 0 ? (uint32_t)sizeof slot_of(0)->wanted : 0;
}

static void copy_bytes(void *to, const void *from, uint32_t size) {
    uint64_t *words = to;
    const uint64_t *source = from;
    for (uint32_t i = 0; i < size / 8; i++)
        words[i] = source[i];
}

static void write_version(struct slot *slot, struct version *version) {
    char *at = version->bytes;
    version->take = slot->take;
    copy_bytes(at, state_of(slot), version->state_bytes);
    at += version->state_bytes;
    copy_bytes(at, slot_outbox(slot), version->outbox_bytes);
    at += version->outbox_bytes;
    copy_bytes(at, (void *)slot->context, version->stack_bytes);
    copy_bytes(at + version->stack_bytes, slot->wanted, wanted_bytes(version->stack_bytes));
}

static void read_version(struct slot *slot, const struct version *version) {
    const char *at = version->bytes;
    slot->take = version->take;
    slot->print = version->print;
    copy_bytes(&slot->machine, at, version->state_bytes);
    at += version->state_bytes;
    copy_bytes(slot_outbox(slot), at, version->outbox_bytes);
    at += version->outbox_bytes;
    copy_bytes((void *)slot->context, at, version->stack_bytes);
    if (version->stack_bytes != 0 && rt.tasks[slot->id].stack_low > slot->context)
        rt.tasks[slot->id].stack_low = slot->context;
    copy_bytes(slot->wanted, at + version->stack_bytes, wanted_bytes(version->stack_bytes));
}

/* What it is now, among all that machines have been. */
static void find_version(struct slot *slot) {
    bool fresh;
    uint32_t state = state_bytes(slot), outbox = slot->outbox_bytes, stack = stack_bytes(slot);
    uint32_t number =
        version_find(&slot->print, state + outbox + stack + wanted_bytes(stack), &fresh);
    versions[slot->index] = number;
    if (!fresh || number == NO_VERSION)
        return;
    struct version *version = version_at(number);
    version->state_bytes = state;
    version->outbox_bytes = outbox;
    version->stack_bytes = stack;
    write_version(slot, version);
}

/* --- being at rest -------------------------------------------------------------------------- */

static void settle(struct slot *slot) {
    add_to_total(slot, UINT64_MAX); /* minus 1 */
    slot->changed = false;
    if (slot->id < SESSION_TASKS)
        settle_task(slot);
    if (slot->machine.table == NULL) { /* it was there, in another state */
        slot->print = (struct fingerprint){{0}};
        versions[slot->index] = NO_VERSION;
        return;
    }
    print_slot(slot);
    add_to_total(slot, 1);
    slot->take = find_takable(slot);
    find_version(slot);
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

/* Which of all events that were sent to it those in the queue are: only who asks for the order of events
 * wants to know, not who remembers states. */
static bool counts_events(void) {
    return !rt.session->remembers_states;
}

static void write_numbers(struct image *image, struct slot *slot) {
    image_write_number(image, slot->sequence);
    image_write(image, slot_numbers(slot), slot->queue_count * sizeof(uint32_t));
}

static void read_numbers(struct image *image, struct slot *slot) {
    slot->sequence = (uint32_t)image_read_number(image);
    image_read(image, slot_numbers(slot), slot->queue_count * sizeof(uint32_t));
}

static bool is_machine(const struct slot *slot) {
    return slot->machine.table != NULL;
}

bool slots_write(struct image *image) {
    for (uint32_t i = 0; i < known_count; i++)
        if (versions[i] == NO_VERSION && is_machine(slot_of(known_ids[i])))
            return false;
    image_write_number(image, known_count);
    image_write(image, versions, known_count * sizeof *versions);
    for (uint32_t i = 0; i < known_count && counts_events(); i++)
        write_numbers(image, slot_of(known_ids[i]));
    return true;
}

static void go_back_to(struct slot *slot, uint32_t version) {
    slot_touch(slot);
    add_to_total(slot, UINT64_MAX);
    versions[slot->index] = version;
    if (version == NO_VERSION) {
        clear(slot);
        slot->machine.table = NULL;
        slot->print = (struct fingerprint){{0}};
    } else {
        read_version(slot, version_at(version));
    }
    add_to_total(slot, 1);
}

/* When all are back: before what a machine stands depends on others. */
static void settle_again(struct slot *slot) {
    slot->changed = false;
    if (slot->id < SESSION_TASKS)
        settle_task(slot);
    if (is_machine(slot))
        machine_publish(slot);
}

/* Those that have become known since were not there. */
void slots_read(struct image *image) {
    uint32_t count = (uint32_t)image_read_number(image);
    const uint32_t *saved = image_skip(image, count * sizeof *saved);
    for (uint32_t i = 0; i < known_count; i++) {
        uint32_t version = i < count ? saved[i] : NO_VERSION;
        if (versions[i] != version)
            go_back_to(slot_of(known_ids[i]), version);
    }
    for (uint32_t i = 0; i < changed_count; i++)
        settle_again(slot_of(changed_ids[i]));
    changed_count = 0;
    for (uint32_t i = 0; i < count && counts_events(); i++)
        read_numbers(image, slot_of(known_ids[i]));
}
