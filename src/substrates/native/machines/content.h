/* content.h - the content of one slot without its queue: its fingerprint, and its versions
 * (content.c). */
#ifndef NATIVE_MACHINE_CONTENT_H
#define NATIVE_MACHINE_CONTENT_H

#include "substrates/native/machines/machine.h"
#include "substrates/native/machines/version.h"

/* Fields of an event that differ from the published operation. */
struct known_event {
    uint64_t value;
    uint32_t target;
    uint8_t order, size;
    uint16_t flags;
};

/* What the delivery of a machine's first outgoing event does (known.c). */
struct delivery {
    bool known;
    uint32_t after; /* the version of the sender behind it */
    uint32_t message;
    uint32_t most;      /* the number of events that may wait at the receiver; 0: it gets none */
    uint64_t numbering; /* the numbers of all machines, as a hash */
    struct known_event event;
};

struct content {
    uint32_t number;  /* as in struct slot */
    uint8_t standing; /* enum standing */
    bool halted;      /* as in struct machine */
    /* The operation before which the machine stands, if machines have these numbers. If the machine
     * waits for events, it is the operation while its queue is empty (published.c). */
    bool published;
    uint8_t readiness;
    uint64_t numbering;
    struct op op;
    struct delivery deliveries[2]; /* to a machine that is there, and to one that has halted */
    uint32_t state_bytes, outbox_bytes, stack_bytes;
    /* State, outbox and stack, one after the other; then slot->wanted if there is a stack. */
    _Alignas(8) char bytes[];
};

static inline struct content *content_at(uint32_t version) {
    return (struct content *)version_at(version)->bytes;
}

struct fingerprint content_print(struct slot *slot);
/* The share of one slot in the hash of all numbers: the machine of this index has this number. */
uint64_t content_numbering(uint32_t index, uint32_t number);
/* The version that the slot is now. NO_VERSION: there is no more room. */
uint32_t content_version(struct slot *slot, const struct fingerprint *print);
/* Makes the slot that version, apart from its queue. */
void content_read(struct slot *slot, const struct content *content);

/* Copies a multiple of eight bytes. */
void content_copy(void *to, const void *from, uint32_t size);

#endif
