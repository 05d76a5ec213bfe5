/* machine_version.h - what machines have been: each different content of a slot is kept once, and has a
 * number.
 *
 * There are millions of states of a program, but few of each of its machines. So a saved state is a number a
 * machine, and going back copies those that differ. Versions are the process's own and are never given
 * back. */
#ifndef NATIVE_MACHINE_VERSION_H
#define NATIVE_MACHINE_VERSION_H

#include "substrates/native/machine.h"

struct version {
    struct fingerprint print;
    uint32_t take;   /* as in struct slot */
    uint32_t number; /* likewise */
    bool lives;      /* it has a task that may still move */
    /* What stands before the machine, among machines that have these numbers (machine_rest.c). */
    bool published;
    uint8_t readiness;
    uint64_t numbering;
    struct op op;
    uint32_t state_bytes, outbox_bytes, stack_bytes;
    _Alignas(8) char bytes[]; /* these, one after the other, then what it wants if it has a stack */
};

enum { NO_VERSION = 0 };
#define CHANGED_VERSION UINT32_MAX /* what a slot is that was left in the middle of a step */

/* The number of the version with this fingerprint, a new one if need be: `size` bytes, to be filled then,
 * which *fresh says. NO_VERSION: there is no more room. */
uint32_t version_find(const struct fingerprint *print, uint32_t size, bool *fresh);

struct version *version_at(uint32_t number);
uint32_t versions_count(void);

#endif
