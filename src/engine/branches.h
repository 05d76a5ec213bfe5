/* branches.h - why the search branches. A reduction plans another execution for a race or for a
 * choice, and each of these is a branch.
 *
 * The strategy reports each branch by one call, and knows no names. A row of the table counts the
 * branches with the same pair of places and the same shared object. The table has BRANCH_ROWS_MAX
 * rows; branches without a row are counted without their pair. The first BRANCH_NOTES branches are
 * also kept one by one, in their order. Everything is in one block of the session's pool, which the
 * supervisor reads at the end. */
#ifndef ENGINE_BRANCHES_H
#define ENGINE_BRANCHES_H

#include "base/hash_table.h"
#include "event/event.h"
#include "execution/execution.h"

enum { BRANCH_ROWS_MAX = 3072, BRANCH_NOTES = 200 };

/* the operation has not happened: its task stood before it when the execution ended */
#define BRANCH_AHEAD UINT32_MAX

/* All branches of one kind. For a choice, the second operation is all zeros. */
struct branch_row {
    uint64_t object;    /* the object that both operations share; 0: not a single object */
    uint64_t places[2]; /* in ascending order: which of the two came first does not count */
    uint64_t count;
    uint32_t tasks[2]; /* the tasks of the two operations, for the first branch of this row */
    uint8_t kinds[2];  /* enum op_kind */
    uint8_t tag;       /* enum choice_tag; CHOICE_SCHEDULE is a race */
    bool fatal; /* one of the two operations ended the execution, and so depends on everything */
};

/* One branch. For a choice, `second` is all zeros. */
struct branch_note {
    uint64_t execution; /* the number of the execution that showed it, from 1 */
    struct event first, second;
    uint32_t value; /* of a choice: the value that is to be tried */
    uint32_t count; /* of a choice: the number of its options */
    uint8_t tag;
    uint32_t at[2]; /* of a race: the number of decisions before each operation, or BRANCH_AHEAD */
};

struct branches {
    uint64_t execution; /* the number of the execution under way, from 1 */
    uint64_t planned;   /* the number of all branches */
    uint64_t unlisted;  /* the number of branches that are in no row */
    uint32_t row_count, note_count;
    struct branch_row rows[BRANCH_ROWS_MAX]; /* in the order in which they came */
    struct hash_table row_numbers;           /* by digest_of() */
    struct branch_note notes[BRANCH_NOTES];
};

struct branches *branches_create(struct pool *pool);

/* Adds a race of these two events, for which something was planned. `at` is as in a note. Does
 * nothing if `branches` is NULL. */
void branches_add_race(struct branches *branches, const struct event *first,
                       const struct event *second, const uint32_t at[2]);

/* Adds a choice within the step of that event, for which another value was planned. */
void branches_add_choice(struct branches *branches, const struct event *event, enum choice_tag tag,
                         uint32_t value, uint32_t count);

/* Adds the branches of another worker. Its notes are kept as long as there is room. */
void branches_merge(struct branches *into, const struct branches *from);

#endif
