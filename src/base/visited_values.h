/* visited_values.h - a set of visited states with a value for each state, for a search that knows
 * more of a state than a note can hold: its colour, its distance, the state before it.
 *
 * A value has one to three words of 8 bytes, and stands in the slot of its entry. So a state takes
 * 24, 32 or 40 bytes in all, and one miss of the cache brings both. All else is as in visited.h:
 * the note, the order, how the array grows, and what happens when it is full. If a new state takes
 * the place of an old one, the old value is gone.
 *
 * Values are copied in and out. So no caller sees an address, and a set that processes share can
 * take the place of this one (visited_slots.h). */
#ifndef BASE_VISITED_VALUES_H
#define BASE_VISITED_VALUES_H

#include "base/visited.h"
#include "base/visited_slots.h"

struct visited_values {
    struct visited set;
    uint32_t slot_size; /* bytes: the entry and the value */
};

/* As visited_init(). A value has 1 to VISITED_VALUE_WORDS words. */
void visited_values_init(struct visited_values *values, struct pool *pool, uint64_t bytes,
                         enum visited_full full, uint32_t value_words);

/* A new state gets the note and the value. Of a state that was there, both are read. */
enum visited_answer visited_values_add(struct visited_values *values,
                                       const struct fingerprint *fingerprint, uint32_t *note,
                                       uint64_t *value);

/* Both return false if the state is not there. */
bool visited_values_read(const struct visited_values *values, const struct fingerprint *fingerprint,
                         uint32_t *note, uint64_t *value);
bool visited_values_write(struct visited_values *values, const struct fingerprint *fingerprint,
                          uint32_t note, const uint64_t *value);

/* The state will be asked for soon. */
void visited_values_expect(const struct visited_values *values,
                           const struct fingerprint *fingerprint);

/* As visited_limit(), visited_is_full() and visited_bytes(). */
static inline void visited_values_limit(struct visited_values *values, uint64_t bytes) {
    visited_limit_slots(&values->set, bytes / values->slot_size);
}

static inline bool visited_values_are_full(const struct visited_values *values) {
    return visited_is_full(&values->set);
}

static inline uint64_t visited_values_bytes(const struct visited_values *values) {
    return values->set.capacity * values->slot_size;
}

#endif
