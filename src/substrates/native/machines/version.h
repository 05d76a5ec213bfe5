/* version.h - each different content of a slot is kept once, as a version with a number.
 *
 * A program may have millions of states, but each of its machines has few. So a saved state is
 * one number for each machine, and going back copies only the versions that differ. Versions
 * belong to the process and are never given back. */
#ifndef NATIVE_MACHINE_VERSION_H
#define NATIVE_MACHINE_VERSION_H

#include "base/fingerprint.h"
#include "substrates/native/machines/machine.h"

struct version {
    struct fingerprint print;
    uint32_t take;   /* as in struct slot */
    uint32_t number; /* likewise */
    bool lives;      /* the machine has a task that may still move */
    /* The operation before which the machine stands, if machines have these numbers (rest.c). */
    bool published;
    uint8_t readiness;
    uint64_t numbering;
    struct op op;
    uint32_t state_bytes, outbox_bytes, stack_bytes;
    /* State, outbox and stack, one after the other; then slot->wanted if there is a stack. */
    _Alignas(8) char bytes[];
};

enum { NO_VERSION = 0 };
#define CHANGED_VERSION UINT32_MAX /* the version of a slot that was left in the middle of a step */

/* The number of the version with this fingerprint. If there is none, a new one of `size` bytes
 * is made, to be filled, and *fresh is set. NO_VERSION: there is no more room. */
uint32_t version_find(const struct fingerprint *print, uint32_t size, bool *fresh);

struct version *version_at(uint32_t number);
uint32_t versions_count(void);

#endif
