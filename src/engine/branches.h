/* branches.h - what made the search branch: of a reduction, every race or choice for which it planned
 * another execution.
 *
 * A strategy says so by one call each time, and knows no names. Counted are pairs of places with the
 * object that they share, in a table of BRANCH_ROWS_MAX rows: what comes after those is counted without
 * its pair. The first BRANCH_NOTES branches are also kept as they came. Everything stands in one block
 * of the session's pool, for the supervisor to read at the end. */
#ifndef ENGINE_BRANCHES_H
#define ENGINE_BRANCHES_H

#include "base/pool.h"
#include "event/event.h"
#include "trace/execution.h"

enum { BRANCH_SLOTS = 4096, BRANCH_ROWS_MAX = 3072, BRANCH_NOTES = 200 };

#define BRANCH_AHEAD UINT32_MAX /* it has not happened: its task stood before it at the end */

/* All branches of one kind. Of a choice, the second operation is all zeros. */
struct branch_row {
    uint64_t object;    /* what both are about; 0: no one thing */
    uint64_t places[2]; /* in ascending order: which of the two came first does not count */
    uint64_t count;     /* 0: a free slot */
    uint32_t tasks[2];  /* whose they were the first time */
    uint8_t kinds[2];   /* enum op_kind */
    uint8_t tag;        /* enum choice_tag; CHOICE_SCHEDULE is a race */
    bool fatal;         /* one of the two ended the execution, and so depends on everything */
};

/* One branch. Of a choice, `second` is all zeros. */
struct branch_note {
    uint64_t execution; /* the how many-th showed it, from 1 */
    struct event first, second;
    uint32_t value; /* what else is to be chosen, */
    uint32_t count; /* of so many */
    uint8_t tag;
    uint32_t at[2]; /* of a race: so many decisions were made before each, or BRANCH_AHEAD */
};

struct branches {
    uint64_t execution; /* the one under way, from 1 */
    uint64_t planned;   /* all of them */
    uint64_t unlisted;  /* so many of those are in no row */
    uint32_t row_count, note_count;
    struct branch_row rows[BRANCH_SLOTS]; /* a hash table */
    struct branch_note notes[BRANCH_NOTES];
};

struct branches *branches_create(struct pool *pool);

/* The two events race, and something was planned for it; `at` as in a note. Nothing happens without
 * `branches`. */
void branches_add_race(struct branches *branches, const struct event *first,
                       const struct event *second, const uint32_t at[2]);

/* Another value was planned for a choice within the step of that event. */
void branches_add_choice(struct branches *branches, const struct event *event, enum choice_tag tag,
                         uint32_t value, uint32_t count);

#endif
