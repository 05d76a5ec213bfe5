/* version.h - each different content of a slot, without its queue, is kept once, as a version with
 * a number. So is each different message.
 *
 * A program may have millions of states, but each of its machines has few. So a saved state is
 * two numbers for each machine, and going back copies only what differs. Versions belong to the
 * process and are never given back. */
#ifndef NATIVE_MACHINE_VERSION_H
#define NATIVE_MACHINE_VERSION_H

#include "base/fingerprint.h"

struct version {
    struct fingerprint print;
    _Alignas(8) char bytes[]; /* struct content (content.h), or struct message */
};

enum { NO_VERSION = 0 };

/* The number of the version with this fingerprint. If there is none, a new one of `size` bytes
 * is made, to be filled, and *fresh is set. NO_VERSION: there is no more room. */
uint32_t version_find(const struct fingerprint *print, uint32_t size, bool *fresh);

struct version *version_at(uint32_t number);

#endif
