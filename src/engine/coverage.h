/* coverage.h - which pairs of operations ran in both orders (--coverage).
 *
 * A pair is two operations of different tasks on one object, or on memory that overlaps, which may depend
 * on each other (dependent() in event/dependence.h), by their places: the instructions. Counted is, over all
 * executions, how often one came before the other, however far apart. Two that turned out to commute (a
 * compare-exchange that failed, and a load) and that nothing else kept in order count for both orders: both are the
 * same. So all of this is a matter of the trace, not of the execution that stands for it. Of two operations
 * at one place, the task with the lower number is the first.
 *
 * A pair is *open* if in some execution the two did depend on each other, and nothing else decided their
 * order: the task of the second had not, before it, done or waited for anything that happens after the first. Pairs
 * that are never open (what stands before the creation of a thread, what is behind its join, what a lock
 * keeps apart) have one order by construction and are nobody's business.
 *
 * Left out are steps that were idle (a loop that came round and then waited): they might as well be missing,
 * and where they are is not explored. `idle` says that there were some.
 *
 * The table is in the session, of COVERAGE_ROWS_MAX rows; pairs beyond them are not known, only that there
 * are some. */
#ifndef ENGINE_COVERAGE_H
#define ENGINE_COVERAGE_H

#include "base/pool.h"
#include "event/event.h"

enum { COVERAGE_SLOTS = 16384, COVERAGE_ROWS_MAX = 12288 };

struct coverage_row {
    uint64_t places[2]; /* in ascending order */
    uint64_t orders[2]; /* how often the first of them came first, and how often the second */
    uint64_t object;    /* the first time */
    uint32_t tasks[2];  /* likewise */
    uint8_t kinds[2];   /* enum op_kind */
    bool open;
};

struct coverage {
    uint64_t executions; /* that were looked at */
    uint64_t left_out;   /* executions that were too long for it */
    uint64_t unlisted;   /* there was no row for so many occurrences of pairs */
    uint32_t row_count;
    bool idle;                                /* steps were left out */
    struct coverage_row rows[COVERAGE_SLOTS]; /* a hash table; a free slot has no order */
};

struct coverage *coverage_create(struct pool *pool);

/* The two happened in this order, `object` being what both are about. */
void coverage_add(struct coverage *coverage, const struct event *first, const struct event *second,
                  uint64_t object, bool open);

#endif
