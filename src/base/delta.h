/* delta.h - bytes stored as their difference from other bytes, and numbers stored in few bytes.
 *
 * A delta is a list of changes. Each change says how many bytes stay, how many are new, and what
 * these are. Two small numbers share one byte, so a change of one byte close to the last change
 * takes two bytes. */
#ifndef BASE_DELTA_H
#define BASE_DELTA_H

#include <stddef.h>
#include <stdint.h>

enum { DELTA_NUMBER_MAX = 10 };

/* Seven bits of the number in each byte, the lowest first. Returns the address after the number. */
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

/* Numbers close to 0 are short, also negative ones. */
static inline uint8_t *delta_put_signed(uint8_t *to, int64_t number) {
    return delta_put(to, (uint64_t)number << 1 ^ (uint64_t)(number >> 63));
}

static inline int64_t delta_get_signed(const uint8_t **from) {
    uint64_t number = delta_get(from);
    return (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
}

/* The largest size of a delta of this many bytes. */
static inline size_t delta_room(size_t size) {
    return 2 * size + 4 * DELTA_NUMBER_MAX;
}

/* The number of equal bytes at the beginning. */
size_t delta_equal(const char *a, const char *b, size_t size);

/* Writes `now` as its difference from `before`. The bytes of `now` beyond the end of `before` are
 * written as they are. */
uint8_t *delta_write(uint8_t *to, const char *now, size_t size, const char *before,
                     size_t before_size);
/* Reads a delta. `now` has room for `size` bytes, and does not overlap `before`. */
void delta_read(const uint8_t **from, char *now, size_t size, const char *before,
                size_t before_size);

/* The same for equal sizes. Afterwards `before` is equal to `now`. */
uint8_t *delta_update(uint8_t *to, const char *now, char *before, size_t size);
void delta_apply(const uint8_t **from, char *before, size_t size);

#endif
