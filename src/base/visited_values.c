/* visited_values.c - see visited_values.h. The slots are kept in order as in visited.c. */
#include "base/visited_values.h"

#include "base/visited_order.h"

void visited_values_init(struct visited_values *values, struct pool *pool, uint64_t bytes,
                         enum visited_full full, uint32_t value_words) {
    CHECK(value_words > 0 && value_words <= VISITED_VALUE_WORDS);
    values->slot_size = VISITED_SLOT + value_words * (uint32_t)sizeof(uint64_t);
    visited_make(&values->set, pool, bytes, full, values->slot_size);
}

void visited_values_expect(const struct visited_values *values,
                           const struct fingerprint *fingerprint) {
    __builtin_prefetch(home_of(&values->set, *fingerprint, values->slot_size), 1);
}

enum visited_answer visited_values_add(struct visited_values *values,
                                       const struct fingerprint *fingerprint, uint32_t *note,
                                       uint64_t *value) {
    const size_t size = values->slot_size;
    struct visited_copy fresh = {.entry = entry_of(fingerprint)};
    struct visited_slot *slot = place_of(&values->set, fresh.entry, size);
    if (is_same(slot_read(slot), fresh.entry)) {
        *note = note_of(slot_read(slot));
        slot_read_value(slot, value, size);
        return VISITED_BEFORE;
    }
    fresh.entry.word[1] = noted(fresh.entry.word[1], *note);
    copy_value(fresh.value, value, size);
    return add_at(&values->set, slot, &fresh, size);
}

bool visited_values_read(const struct visited_values *values, const struct fingerprint *fingerprint,
                         uint32_t *note, uint64_t *value) {
    const struct visited_slot *slot = find(&values->set, fingerprint, values->slot_size);
    if (slot == NULL)
        return false;
    *note = note_of(slot_read(slot));
    slot_read_value(slot, value, values->slot_size);
    return true;
}

bool visited_values_write(struct visited_values *values, const struct fingerprint *fingerprint,
                          uint32_t note, const uint64_t *value) {
    struct visited_slot *slot = find(&values->set, fingerprint, values->slot_size);
    if (slot == NULL)
        return false;
    slot_write_value(slot, value, values->slot_size);
    slot_write_second(slot, noted(slot_read(slot).word[1], note));
    return true;
}
