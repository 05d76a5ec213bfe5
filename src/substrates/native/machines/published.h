/* published.h - operations of machines that were published before. */
#ifndef NATIVE_MACHINE_PUBLISHED_H
#define NATIVE_MACHINE_PUBLISHED_H

#include "substrates/native/machines/machine.h"

/* The machine stands like this, and its operation was published: keeps the operation. */
void published_keep(const struct slot *slot, struct stand stand);

/* Publishes the operation of a machine that stands like this, by the present numbers of machines.
 * The bytes of its slot may be stale. Returns false if the operation is not known. */
bool publish_again(uint32_t id, struct stand stand);

#endif
