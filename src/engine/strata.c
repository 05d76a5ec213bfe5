/* strata.c - see strata.h. */
#include "engine/strata.h"

#include <string.h>

#include "engine/counters.h"

void strata_begin(struct strata *strata, uint32_t bound) {
    strata->completed = strata->count++;
    if (strata->count <= STRATA_KEPT)
        strata_now(strata)->bound = bound;
}

void strata_note(struct strata *strata, uint32_t *noted, const struct counters *counters) {
    if (*noted == strata->count)
        return;
    *noted = strata->count;
    if (strata->count > STRATA_KEPT)
        return;
    strata_now(strata)->transitions = counters->transitions;
    strata_now(strata)->executions = counters->executions;
}

struct stratum strata_row(const struct strata *strata, uint32_t row,
                          const struct counters *counters) {
    struct stratum stratum = strata->rows[row];
    bool last = row + 1 >= strata_rows(strata);
    const struct stratum *next = &strata->rows[row + 1];
    stratum.transitions = (last ? counters->transitions : next->transitions) - stratum.transitions;
    stratum.executions = (last ? counters->executions : next->executions) - stratum.executions;
    return stratum;
}

/* --- merging -------------------------------------------------------------------------------- */

/* One of the two searches, and its next row. */
struct side {
    const struct strata *strata;
    const struct counters *counters;
    uint32_t row;
};

static bool has_rows(const struct side *side) {
    return side->row < strata_rows(side->strata);
}

/* The bound of the next row. After the last row, it is larger than any bound. */
static uint64_t bound_of_row(const struct side *side) {
    return has_rows(side) ? side->strata->rows[side->row].bound : UINT64_MAX;
}

/* The numbers that the search had before this bound. If it has no row for it, they are all that it
 * has counted. */
static void take_row(struct side *side, uint64_t bound, struct stratum *row) {
    bool here = bound_of_row(side) == bound;
    const struct stratum *next = &side->strata->rows[side->row];
    row->transitions += has_rows(side) ? next->transitions : side->counters->transitions;
    row->executions += has_rows(side) ? next->executions : side->counters->executions;
    row->states += here ? next->states : 0;
    side->row += here;
}

/* The first bound that the search has not completed. */
static uint64_t incomplete_bound(const struct strata *strata) {
    uint32_t rows = strata_rows(strata);
    if (strata->completed < rows)
        return strata->rows[strata->completed].bound;
    return rows > 0 ? (uint64_t)strata->rows[rows - 1].bound + 1 : 0;
}

/* Rows of both, in ascending order, into `rows`. Returns how many there are. */
static uint32_t join_rows(struct side *a, struct side *b, struct stratum rows[STRATA_KEPT]) {
    uint32_t count = 0;
    while (has_rows(a) || has_rows(b)) {
        uint64_t bound = bound_of_row(a) < bound_of_row(b) ? bound_of_row(a) : bound_of_row(b);
        struct stratum row = {.bound = (uint32_t)bound};
        take_row(a, bound, &row);
        take_row(b, bound, &row);
        if (count < STRATA_KEPT)
            rows[count++] = row;
        else /* the last row stands for all later strata */
            rows[STRATA_KEPT - 1].states += row.states;
    }
    return count;
}

static uint32_t rows_below(const struct strata *strata, uint64_t bound) {
    uint32_t count = 0;
    while (count < strata_rows(strata) && strata->rows[count].bound < bound)
        count++;
    return count;
}

/* A state from which one worker knows no end may lead to an end that the other worker knows. So the
 * result is unknown. */
static void merge_ends(struct strata *into, const struct strata *from) {
    into->endless += from->endless;
    into->endless_unknown |= from->endless_unknown || into->endless > 0;
    into->rounds |= from->rounds;
}

void strata_merge(struct strata *into, const struct counters *into_counters,
                  const struct strata *from, const struct counters *from_counters) {
    struct stratum rows[STRATA_KEPT];
    struct side a = {into, into_counters, 0}, b = {from, from_counters, 0};
    uint64_t mine = incomplete_bound(into), other = incomplete_bound(from);
    uint32_t count = join_rows(&a, &b, rows);
    memcpy(into->rows, rows, count * sizeof *rows);
    into->on |= from->on;
    into->count = count;
    into->completed = rows_below(into, mine < other ? mine : other);
    into->states += from->states;
    into->frontier += from->frontier;
    into->frontier_lost += from->frontier_lost;
    into->visited_bytes += from->visited_bytes;
    into->frontier_bytes += from->frontier_bytes;
    into->bytes_max += from->bytes_max;
    into->forgetful |= from->forgetful;
    merge_ends(into, from);
}
