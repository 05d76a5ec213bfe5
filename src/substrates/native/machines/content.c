/* content.c - the content of one slot without its queue: its fingerprint, and its versions. */
#include "substrates/native/machines/content.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "substrates/native/tasks/task.h"

/* --- fingerprints --------------------------------------------------------------------------- */

static const char *state_of(const struct slot *slot) {
    return (const char *)&slot->machine;
}

static uint32_t state_bytes(struct slot *slot) {
    return (uint32_t)(slot_queue(slot) - state_of(slot));
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

/* Adds parts that are mostly empty. */
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

/* The address of the table does not count: it depends on which type was used first in this
 * process, and states are remembered for longer than a process lives. */
struct fingerprint content_print(struct slot *slot) {
    uint64_t seed = (uint64_t)slot->machine.table->type + slot->id;
    uint32_t from = offsetof(struct machine, depth);
    XXH128_hash_t hash =
        XXH3_128bits_withSeed(state_of(slot) + from, state_bytes(slot) - from, seed);
    struct fingerprint print = {{hash.low64, hash.high64}};
    if (slot->outbox_bytes != 0 || slot->context != 0)
        add_rest(slot, &print);
    return print;
}

uint64_t content_numbering(uint32_t index, uint32_t number) {
    uint64_t pair = (uint64_t)(index + 1) << 32 | number;
    return number != 0 ? XXH3_64bits(&pair, sizeof pair) : 0;
}

/* --- versions ------------------------------------------------------------------------------- */

static uint32_t wanted_bytes(uint32_t stack) {
    return stack != 0 ? (uint32_t)sizeof slot_of(0)->wanted : 0;
}

void content_copy(void *to, const void *from, uint32_t size) {
    uint64_t *words = to;
    const uint64_t *source = from;
    for (uint32_t i = 0; i < size / 8; i++)
        words[i] = source[i];
}

static void write_content(struct slot *slot, struct content *content) {
    char *at = content->bytes;
    content_copy(at, state_of(slot), content->state_bytes);
    at += content->state_bytes;
    content_copy(at, slot_outbox(slot), content->outbox_bytes);
    at += content->outbox_bytes;
    content_copy(at, (void *)slot->context, content->stack_bytes);
    content_copy(at + content->stack_bytes, slot->wanted, wanted_bytes(content->stack_bytes));
}

void content_read(struct slot *slot, const struct content *content) {
    const char *at = content->bytes;
    content_copy(&slot->machine, at, content->state_bytes);
    at += content->state_bytes;
    content_copy(slot_outbox(slot), at, content->outbox_bytes);
    at += content->outbox_bytes;
    content_copy((void *)slot->context, at, content->stack_bytes);
    if (content->stack_bytes != 0 && task_at(slot->id)->fiber.stack_low > slot->context)
        task_at(slot->id)->fiber.stack_low = slot->context;
    content_copy(slot->wanted, at + content->stack_bytes, wanted_bytes(content->stack_bytes));
}

uint32_t content_version(struct slot *slot, const struct fingerprint *print) {
    bool fresh;
    uint32_t state = state_bytes(slot), outbox = slot->outbox_bytes, stack = stack_bytes(slot);
    uint32_t bytes = state + outbox + stack + wanted_bytes(stack);
    uint32_t number = version_find(print, (uint32_t)sizeof(struct content) + bytes, &fresh);
    if (!fresh || number == NO_VERSION)
        return number;
    struct content *content = content_at(number);
    *content = (struct content){
        .number = slot->number,
        .standing = (uint8_t)machine_standing(slot),
        .halted = slot->machine.halted,
        .state_bytes = state,
        .outbox_bytes = outbox,
        .stack_bytes = stack,
    };
    write_content(slot, content);
    return number;
}
