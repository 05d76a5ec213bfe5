/* narrow.h - converts a count to a smaller type. A CHECK fails if the count does not fit. If the
 * tested program can cause a larger count, the caller must refuse it first. */
#ifndef BASE_NARROW_H
#define BASE_NARROW_H

#include <stdint.h>

#include "base/check.h"

static inline uint8_t narrow_u8(uint64_t count) {
    CHECK(count <= UINT8_MAX);
    return (uint8_t)count;
}

static inline uint16_t narrow_u16(uint64_t count) {
    CHECK(count <= UINT16_MAX);
    return (uint16_t)count;
}

static inline uint32_t narrow_u32(uint64_t count) {
    CHECK(count <= UINT32_MAX);
    return (uint32_t)count;
}

/* Counts that do not fit become the largest value. */
static inline uint8_t saturate_u8(uint64_t count) {
    return count < UINT8_MAX ? (uint8_t)count : UINT8_MAX;
}

static inline uint32_t saturate_u32(uint64_t count) {
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

#endif
