/* strata.c - see strata.h. */
#include "engine/strata.h"

/* The latest is the most likely one. */
static struct stratum *find(struct strata *strata, uint64_t bound) {
    for (uint32_t i = strata->count; i-- > 0;)
        if (strata->list[i].bound == bound)
            return &strata->list[i];
    if (strata->count == STRATA_KEPT) {
        strata->full = true;
        return &strata->list[STRATA_KEPT - 1];
    }
    struct stratum *stratum = &strata->list[strata->count++];
    *stratum = (struct stratum){.bound = bound};
    return stratum;
}

void strata_add(struct strata *strata, uint64_t bound, const struct strata_counts *now) {
    struct strata_counts *counts = &find(strata, bound)->counts, *since = &strata->since;
    counts->executions += now->executions - since->executions;
    counts->transitions += now->transitions - since->transitions;
    counts->samples += now->samples - since->samples;
    *since = *now;
}
