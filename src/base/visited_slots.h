/* visited_slots.h - the slots of a set of visited states: the only place that reads or writes them.
 *
 * A slot is an entry of 16 bytes and, in sets with values, the value of the entry behind it. Zeros
 * are an empty slot. The size of a slot is a parameter of each function. A set without values
 * passes a constant, so it pays for nothing.
 *
 * This is the seam for a set that processes share. Today, one process owns a set, and so:
 * - Only that process calls these functions. No other thread reads or writes the slots meanwhile.
 * - Between two calls of a set, each slot is whole. During a call, a slot may be there twice, or
 *   its value may not have moved yet.
 * - No caller keeps the address of a slot: entries and values are copied in and out.
 *
 * There are two ways to share, and what they change:
 * - Each process owns the states of its share of the fingerprints, and the others send states to
 *   it. Nothing changes here: each process has a set of its own.
 * - All processes use one set in shared memory. Then slot_read() of an entry is one atomic load of
 *   16 bytes. A new entry claims its slot by a compare-exchange with zeros. It is published last,
 *   behind its value. A change of a note is a compare-exchange of the second word. Entries must not
 *   move while another process is in a call: so slot_exchange() and slot_move(), by which the array
 *   is sorted and grows, need all other processes to stand still, or an array that is not
 * sorted. */
#ifndef BASE_VISITED_SLOTS_H
#define BASE_VISITED_SLOTS_H

#include "base/fingerprint.h"

enum { VISITED_VALUE_WORDS = 3, VISITED_SLOT = sizeof(struct fingerprint) };

struct visited_slot {
    struct fingerprint entry;
    uint64_t value[]; /* the rest of the slot */
};

/* A slot outside of the array. */
struct visited_copy {
    struct fingerprint entry;
    uint64_t value[VISITED_VALUE_WORDS];
};

/* Copies what a slot of that size has behind its entry. */
static inline void copy_value(uint64_t *to, const uint64_t *from, size_t size) {
    for (size_t i = 0; i < (size - VISITED_SLOT) / sizeof *to; i++)
        to[i] = from[i];
}

static inline struct visited_slot *slot_plus(struct visited_slot *slot, uint64_t count,
                                             size_t size) {
    return (struct visited_slot *)((char *)slot + count * size);
}

static inline struct visited_slot *slot_before(struct visited_slot *slot, size_t size) {
    return (struct visited_slot *)((char *)slot - size);
}

static inline struct fingerprint slot_read(const struct visited_slot *slot) {
    return slot->entry;
}

static inline bool entry_is_empty(struct fingerprint entry) {
    return (entry.word[0] | entry.word[1]) == 0;
}

static inline bool slot_is_empty(const struct visited_slot *slot) {
    return entry_is_empty(slot_read(slot));
}

/* The second word of an entry has its note. */
static inline void slot_write_second(struct visited_slot *slot, uint64_t word) {
    slot->entry.word[1] = word;
}

static inline void slot_write(struct visited_slot *slot, const struct visited_copy *from,
                              size_t size) {
    slot->entry = from->entry;
    copy_value(slot->value, from->value, size);
}

static inline void slot_move(struct visited_slot *to, const struct visited_slot *from,
                             size_t size) {
    to->entry = from->entry;
    copy_value(to->value, from->value, size);
}

static inline void slot_exchange(struct visited_slot *slot, struct visited_copy *with,
                                 size_t size) {
    struct fingerprint entry = slot->entry;
    slot->entry = with->entry;
    with->entry = entry;
    for (size_t i = 0; i < (size - VISITED_SLOT) / sizeof *with->value; i++) {
        uint64_t word = slot->value[i];
        slot->value[i] = with->value[i];
        with->value[i] = word;
    }
}

static inline void slot_clear(struct visited_slot *slot, size_t size) {
    slot_write(slot, &(struct visited_copy){0}, size);
}

static inline void slot_read_value(const struct visited_slot *slot, uint64_t *value, size_t size) {
    copy_value(value, slot->value, size);
}

static inline void slot_write_value(struct visited_slot *slot, const uint64_t *value, size_t size) {
    copy_value(slot->value, value, size);
}

#endif
