/* delta.h - bytes as what distinguishes them from other bytes, and numbers in as few bytes as they need.
 *
 * A delta is a list of changes: so many bytes stay, so many are new, and these. Small numbers of both
 * stand in one byte, so a change of one byte close to the last takes two. */
#ifndef BASE_DELTA_H
#define BASE_DELTA_H

#include <stddef.h>
#include <stdint.h>

enum { DELTA_NUMBER_MAX = 10 };

/* Seven bits a byte, the lowest first; returns what is behind it. */
static inline uint8_t *delta_put(uint8_t *to, uint64_t number) {
    for (; number >= 0x80; number >>= 7)
        *to++ = (uint8_t)(number | 0x80);
    *to++ = (uint8_t)number;
    return to;
}

static inline uint64_t delta_get(const uint8_t **from) {
    uint64_t number = 0;
    for (uint32_t shift = 0;; shift += 7) {
        uint8_t byte = *(*from)++;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
}

/* Small in both directions. */
static inline uint8_t *delta_put_signed(uint8_t *to, int64_t number) {
    return delta_put(to, (uint64_t)number << 1 ^ (uint64_t)(number >> 63));
}

static inline int64_t delta_get_signed(const uint8_t **from) {
    uint64_t number = delta_get(from);
    return (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
}

/* Room that a delta of so many bytes needs at most. */
static inline size_t delta_room(size_t size) {
    return 2 * size + 4 * DELTA_NUMBER_MAX;
}

/* How many bytes are equal at the beginning. */
size_t delta_equal(const char *a, const char *b, size_t size);

/* `now` by what it has in common with `before`; of what is longer than that, all. */
uint8_t *delta_write(uint8_t *to, const char *now, size_t size, const char *before,
                     size_t before_size);
/* And back: `now` has room for size bytes, and does not overlap. */
void delta_read(const uint8_t **from, char *now, size_t size, const char *before,
                size_t before_size);

/* The same for equal sizes, in place: afterwards `before` is `now`. */
uint8_t *delta_update(uint8_t *to, const char *now, char *before, size_t size);
void delta_apply(const uint8_t **from, char *before, size_t size);

#endif
