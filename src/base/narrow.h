/* narrow.h - a count goes into a smaller type: nothing is lost on the way, or a CHECK says so. Where the tested
 * program can cause a larger number, its caller refuses it first. */
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

/* The largest there is stands for all larger ones. */
static inline uint8_t saturate_u8(uint64_t count) {
    return count < UINT8_MAX ? (uint8_t)count : UINT8_MAX;
}

static inline uint32_t saturate_u32(uint64_t count) {
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

#endif
