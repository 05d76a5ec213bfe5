/* sections.h - what atomic sections have touched. The event of a section refers to a footprint
 * (event/footprint.h), so that its order with other steps matters only where they touch the same.
 *
 * A section is known by its task, its place in the program, and its number among the sections of
 * the task. Its footprint is all that this section has touched in any execution so far. What it
 * touches may depend on what it reads; so the footprint of one execution alone would not do: the
 * dependence of two operations must not change with the order of other operations, or traces are
 * lost. If a section touches something new, its footprint *grows*, and the search begins anew. When
 * a search has come to its end without that, no section of any execution touches more: up to the
 * first access that would be new, every section was like an operation that touches its footprint,
 * and the search has explored all orders of those.
 *
 * A section whose footprint grows again and again depends on everything from then on.
 *
 * Left out: sections under observers, within bounds on preemptions or delays, and with --coverage,
 * which counts orders and does not know what a section touches. There a section depends on
 * everything. */
#ifndef STRATEGIES_DPOR_SECTIONS_H
#define STRATEGIES_DPOR_SECTIONS_H

#include "base/hash_table.h"
#include "event/footprint.h"
#include "execution/execution.h"

/* A section of the program. */
struct section {
    uint64_t pc;
    uint32_t task, number;
    uint32_t grown; /* how often it has grown */
    bool everything;
    struct footprint footprint; /* empty: the section depends on everything */
};

struct sections {
    struct pool *pool;          /* borrowed */
    struct gathering gathering; /* of the step under way */
    struct section **list;
    struct hash_table digests; /* places in the list */
    uint32_t count, capacity;
    bool grown;   /* a footprint has grown in this execution */
    bool unknown; /* every section depends on everything */
};

void sections_init(struct sections *sections, struct pool *pool);
/* A step begins. */
void sections_begin(struct sections *sections);
/* Notes a plain access within a section. */
void sections_access(struct sections *sections, uint64_t address, uint32_t size, bool write);
/* A step is over. Its events begin with number `event_first`. The first one is the begin of the
 * section with that number among those of its task. Returns its footprint. */
const struct footprint *sections_end(struct sections *sections, const struct execution *execution,
                                     uint32_t event_first, uint32_t number);

#endif
