/* object.h - the name of an object in an operation: its address, together with the address space.
 *
 * The space is in upper bits that no user address has. So all code that compares, orders, hashes or
 * writes objects distinguishes the same address in two spaces, at no extra cost: dependence, touch
 * keys, states of locks, fingerprints and trace files. Space 0 is the tested process, and memory
 * that all processes share. A name in space 0 is the address itself. */
#ifndef EVENT_OBJECT_H
#define EVENT_OBJECT_H

#include <stdint.h>

#include "base/check.h"

enum { OBJECT_SPACE_SHIFT = 56, OBJECT_SPACES = 64 };

static inline uint64_t object_in_space(uint32_t space, uint64_t address) {
    CHECK(space < OBJECT_SPACES && address >> OBJECT_SPACE_SHIFT == 0);
    return (uint64_t)space << OBJECT_SPACE_SHIFT | address;
}

static inline uint32_t object_space(uint64_t object) {
    return (uint32_t)(object >> OBJECT_SPACE_SHIFT);
}

static inline uint64_t object_address(uint64_t object) {
    return object & (((uint64_t)1 << OBJECT_SPACE_SHIFT) - 1);
}

#endif
