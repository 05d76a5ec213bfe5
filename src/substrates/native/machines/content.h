/* content.h - the content of one slot: its fingerprint, and its versions (content.c). */
#ifndef NATIVE_MACHINE_CONTENT_H
#define NATIVE_MACHINE_CONTENT_H

#include "substrates/native/machines/machine.h"
#include "substrates/native/machines/version.h"

struct fingerprint content_print(struct slot *slot);
/* The share of one slot in the hash of all numbers: the machine of this index has this number. */
uint64_t content_numbering(uint32_t index, uint32_t number);
/* The version that the slot is now. NO_VERSION: there is no more room. */
uint32_t content_version(struct slot *slot, const struct fingerprint *print, bool lives);
/* Makes the slot that version. */
void content_read(struct slot *slot, const struct version *version);

/* Copies a multiple of eight bytes. */
void content_copy(void *to, const void *from, uint32_t size);

#endif
