/* queue.c - see queue.h. Queues stand one after the other in a range of addresses that is reserved
 * once. An index finds a queue by the queue before it and its last message: open addressing,
 * doubled when it is half full. */
#include "substrates/native/machines/queue.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "substrates/native/machines/content.h"
#include "substrates/native/memory/memory.h"

#define QUEUE_BASE 0x3d0000000000u
#define QUEUE_RANGE ((uint64_t)16 << 30)
#define INDEX_BASE 0x3e0000000000u
#define INDEX_RANGE ((uint64_t)4 << 30)

enum { INDEX_FIRST = 1 << 12 };

/* Queues, plus one for NO_QUEUE; 0: nothing is mapped yet. */
static uint32_t count;
static uint64_t places; /* places of the index, a power of two */
static uint32_t empty[MACHINE_SLOTS];

struct queue *queue_at(uint32_t number) {
    return (struct queue *)QUEUE_BASE + number;
}

static uint32_t *index_at(uint64_t place) {
    return (uint32_t *)INDEX_BASE + place;
}

static void map_all(void) {
    memory_map(QUEUE_BASE, QUEUE_RANGE);
    memory_map(INDEX_BASE, INDEX_RANGE);
    count = NO_QUEUE + 1;
    places = INDEX_FIRST;
}

/* --- finding -------------------------------------------------------------------------------- */

/* The place in the index where the queue is, or would be. */
static uint32_t *place_of(uint32_t before, uint32_t last) {
    uint64_t hash = ((uint64_t)before << 32 | last) * 0x9e3779b97f4a7c15u;
    uint64_t place = (hash >> 32) & (places - 1);
    while (*index_at(place) != NO_QUEUE && (queue_at(*index_at(place))->before != before ||
                                            queue_at(*index_at(place))->last != last))
        place = (place + 1) & (places - 1);
    return index_at(place);
}

static void grow_index(void) {
    memset(index_at(0), 0, places * sizeof(uint32_t));
    places *= 2;
    for (uint32_t number = NO_QUEUE + 1; number < count; number++)
        if (queue_at(number)->before != NO_QUEUE)
            *place_of(queue_at(number)->before, queue_at(number)->last) = number;
}

static bool has_room(void) {
    return (count + (uint64_t)1) * sizeof(struct queue) <= QUEUE_RANGE &&
           2 * places * sizeof(uint32_t) <= INDEX_RANGE;
}

uint32_t queue_empty(uint32_t slot) {
    if (count == 0)
        map_all();
    if (empty[slot] == NO_QUEUE && has_room()) {
        empty[slot] = count++;
        *queue_at(empty[slot]) = (struct queue){.slot = slot};
    }
    return empty[slot];
}

/* --- pushing and taking --------------------------------------------------------------------- */

/* The fingerprint of a queue follows from that of the queue before it, and of its last message. */
static struct fingerprint print_of(const struct queue *before, uint32_t message) {
    const struct fingerprint parts[] = {before->print, version_at(message)->print};
    XXH128_hash_t hash = XXH3_128bits_withSeed(parts, sizeof parts, before->slot);
    return (struct fingerprint){{hash.low64, hash.high64}};
}

uint32_t queue_push(uint32_t number, uint32_t message) {
    if (number == NO_QUEUE || message == NO_VERSION)
        return NO_QUEUE;
    uint32_t *place = place_of(number, message);
    if (*place != NO_QUEUE || !has_room())
        return *place;
    const struct queue *before = queue_at(number);
    uint32_t pushed = *place = count++;
    *queue_at(pushed) = (struct queue){
        .print = print_of(before, message),
        .count = before->count + 1,
        .before = number,
        .first = before->count > 0 ? before->first : message,
        .last = message,
        .slot = before->slot,
    };
    if (2 * (uint64_t)count > places)
        grow_index();
    return pushed;
}

/* Each queue behind the first message is kept as well, so this goes back as far as the next one
 * that is known. */
uint32_t queue_rest(uint32_t number) {
    struct queue *queue = queue_at(number);
    if (queue->rest == NO_QUEUE)
        queue->rest =
            queue->count == 1 ? queue->before : queue_push(queue_rest(queue->before), queue->last);
    return queue->rest;
}

/* --- the queue of a slot -------------------------------------------------------------------- */

uint32_t queue_message(const struct message *message) {
    bool fresh;
    XXH128_hash_t hash = XXH3_128bits(message, message_bytes(message));
    struct fingerprint print = {{hash.low64, hash.high64}};
    uint32_t number = version_find(&print, message_bytes(message), &fresh);
    if (fresh && number != NO_VERSION)
        content_copy(version_at(number)->bytes, message, message_bytes(message));
    return number;
}

uint32_t queue_settle(struct slot *slot) {
    uint32_t queue = slot->settled_queue, at = slot->settled_bytes;
    if (at == 0)
        queue = queue_empty(slot->id);
    while (at < slot->queue_bytes) {
        const struct message *message = (const struct message *)(slot_queue(slot) + at);
        queue = queue_push(queue, queue_message(message));
        at += message_bytes(message);
    }
    slot->settled_queue = queue;
    slot->settled_bytes = at;
    return queue;
}

/* A queue that could not be kept has another fingerprint, as long as the process lives. */
struct fingerprint queue_print(struct slot *slot, uint32_t number) {
    if (number != NO_QUEUE)
        return queue_at(number)->print;
    XXH128_hash_t hash = XXH3_128bits_withSeed(slot_queue(slot), slot->queue_bytes, slot->id);
    return (struct fingerprint){{hash.low64, hash.high64}};
}

static uint32_t bytes_of(const struct queue *queue) {
    uint32_t bytes = 0;
    for (; queue->count > 0; queue = queue_at(queue->before))
        bytes += message_bytes(message_of(queue->last));
    return bytes;
}

void queue_read(struct slot *slot, uint32_t number) {
    const struct queue *queue = queue_at(number);
    slot->queue_count = queue->count;
    slot->queue_bytes = slot->settled_bytes = bytes_of(queue);
    slot->settled_queue = number;
    char *at = slot_queue(slot) + slot->queue_bytes;
    for (; queue->count > 0; queue = queue_at(queue->before)) {
        const struct message *message = message_of(queue->last);
        at -= message_bytes(message);
        content_copy(at, message, message_bytes(message));
    }
}
