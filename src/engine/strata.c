/* strata.c - see strata.h. */
#include "engine/strata.h"

#include "engine/session.h"

void strata_begin(struct strata *strata, uint32_t bound) {
    strata->completed = strata->count++;
    if (strata->count <= STRATA_KEPT)
        strata_now(strata)->bound = bound;
}

void strata_note(struct strata *strata, uint32_t *noted, const struct session_counters *counters) {
    if (*noted == strata->count)
        return;
    *noted = strata->count;
    if (strata->count > STRATA_KEPT)
        return;
    strata_now(strata)->transitions = counters->transitions;
    strata_now(strata)->executions = counters->executions;
}

struct stratum strata_row(const struct strata *strata, uint32_t row,
                          const struct session_counters *counters) {
    struct stratum stratum = strata->rows[row];
    bool last = row + 1 >= strata_rows(strata);
    const struct stratum *next = &strata->rows[row + 1];
    stratum.transitions = (last ? counters->transitions : next->transitions) - stratum.transitions;
    stratum.executions = (last ? counters->executions : next->executions) - stratum.executions;
    return stratum;
}
