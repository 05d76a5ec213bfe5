/* minimised.c - see minimised.h. */
#include "engine/minimised.h"

static void copy_execution(struct execution *into, const struct execution *from,
                           struct pool *pool) {
    execution_init(into, pool);
    execution_copy(into, from);
}

void minimised_merge(struct minimised *into, const struct minimised *from, struct pool *pool) {
    bool smaller = !into->has_smallest || from->facts.switches < into->facts.switches;
    if (!from->has_smallest || !smaller)
        return;
    *into = *from;
    copy_execution(&into->smallest, &from->smallest, pool);
    if (from->has_passing)
        copy_execution(&into->passing, &from->passing, pool);
}
