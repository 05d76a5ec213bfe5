/* race_section.h - what happens in an atomic section, put off until its end.
 *
 * A section happens after the earlier sections with which its footprint conflicts
 * (event/footprint.h), and after no others: the search lets all others change places. So the order
 * is known only at the end of the section. Until then its events and accesses wait here. No other
 * task moves meanwhile. */
#ifndef ANALYSES_RACE_SECTION_H
#define ANALYSES_RACE_SECTION_H

#include "analyses/race_order.h"
#include "analyses/race_shadow.h"
#include "event/footprint.h"

/* An event, or an access. */
struct put_off {
    struct event event;
    uint64_t address, pc;
    uint32_t size; /* 0: it is an event */
    uint32_t stack;
    uint8_t kind; /* of the access: enum access_kind */
};

struct race_section {
    struct pool *pool; /* borrowed */
    struct gathering gathering;
    struct put_off *list;
    uint32_t count, capacity;
    uint32_t task;
    bool open;
};

void race_section_init(struct race_section *section, struct pool *pool);
/* A section begins, with this event. */
void race_section_begin(struct race_section *section, const struct event *event);
/* Puts off an operation within the section. `stack` is that of an access, or 0. */
void race_section_event(struct race_section *section, const struct event *event, uint32_t stack);
void race_section_access(struct race_section *section, const struct put_off *access);

/* Orders the section after those that it conflicts with, or before those that will conflict with
 * it. */
void race_section_acquire(const struct race_section *section, struct order *order);
void race_section_release(const struct race_section *section, struct order *order);

#endif
