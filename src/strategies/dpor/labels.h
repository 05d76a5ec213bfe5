/* labels.h - the labels of planned moves. Equal labels are kept once, so they can be compared by
 * their addresses, and a planned move is small. */
#ifndef STRATEGIES_DPOR_LABELS_H
#define STRATEGIES_DPOR_LABELS_H

#include "base/hash_table.h"
#include "strategies/dpor/moves.h"

struct labels {
    struct pool *pool; /* borrowed */
    struct hash_table digests;
    struct label **kept;
    uint32_t count, capacity;
    uint32_t limit; /* when there are so many, those without users are freed */
};

void labels_init(struct labels *labels, struct pool *pool);

/* Returns the kept label for a planned move. Of the event only that is left which can matter for
 * dependence: accesses of memory that differ in their values have the same label. */
struct label *labels_keep(struct labels *labels, const struct event *event,
                          const struct chosen *choices, uint32_t choice_count);

/* The same for a move like one that was made. */
struct label *labels_plan(struct labels *labels, struct label *made);

#endif
