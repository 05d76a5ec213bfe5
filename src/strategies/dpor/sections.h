/* sections.h - what atomic sections have touched. The event of a section gets a footprint
 * (event/footprint.h) when its step is over, so that its order with other steps matters only where
 * they touch the same.
 *
 * Equal footprints are stored once. So events of sections that have touched the same are equal,
 * byte for byte. Footprints are kept until the search ends.
 *
 * Left out: sections under observers, within bounds on preemptions or delays, and with --coverage,
 * which counts orders and does not know what a section touches. There a section depends on
 * everything. */
#ifndef STRATEGIES_DPOR_SECTIONS_H
#define STRATEGIES_DPOR_SECTIONS_H

#include "base/hash_table.h"
#include "event/footprint.h"
#include "execution/execution.h"

struct sections {
    struct pool *pool;          /* borrowed */
    struct gathering gathering; /* of the step under way */
    struct footprint **kept;
    struct hash_table digests; /* places in `kept` */
    uint32_t count, capacity;
    bool unknown; /* every section depends on everything */
};

void sections_init(struct sections *sections, struct pool *pool);
/* A step begins. */
void sections_begin(struct sections *sections);
/* Notes a plain access within a section. */
void sections_access(struct sections *sections, uint64_t address, uint32_t size, bool write);
/* Finds the footprint of the step that is over, whose events begin with that number. Returns NULL
 * if it is not known. */
const struct footprint *sections_end(struct sections *sections, const struct execution *execution,
                                     uint32_t event_first);

#endif
