/* coverage.h - which pairs of operations ran in both orders (--coverage).
 *
 * A pair consists of two operations of different tasks on one object, or on memory that overlaps,
 * which may depend on each other (dependent() in event/dependence.h). A pair is known by the two
 * places: the instructions. Each order of a pair is counted over all executions, however far apart
 * the two operations are. Two operations can turn out to commute (for example a compare-exchange
 * that failed, and a load). If nothing else kept them in order, they count for both orders, because
 * both orders are the same. So all executions of a Mazurkiewicz trace give the same rows. Therefore
 * a reduction counts what the whole search would count, and after a verified search an order that
 * is missing is impossible. If both operations are at one place, the task with the lower number
 * counts as the first.
 *
 * A pair is *open* if in some execution the two operations depended on each other, and nothing else
 * decided their order: before the second operation, its task had neither done nor awaited anything
 * that happens after the first one. Some pairs are never open: an operation before the creation of
 * a thread, an operation after its join, two operations that a lock keeps apart. Such a pair can
 * have one order only, and is not reported.
 *
 * Idle steps are left out (a step is idle if a loop came round in it and then waited). The
 * execution would be the same without them, and other places for them are not explored. `idle` says
 * that there were some.
 *
 * The table is in the session, and has COVERAGE_ROWS_MAX rows. Pairs without a row are only
 * counted. */
#ifndef ENGINE_COVERAGE_H
#define ENGINE_COVERAGE_H

#include "base/hash_table.h"
#include "event/event.h"

enum { COVERAGE_ROWS_MAX = 12288 };

struct coverage_row {
    uint64_t places[2]; /* in ascending order */
    /* how often the operation at the first place came first, and how often the other one */
    uint64_t orders[2];
    uint64_t object;   /* the object, when the pair was seen for the first time */
    uint32_t tasks[2]; /* the tasks, when the pair was seen for the first time */
    uint8_t kinds[2];  /* enum op_kind */
    bool open;
};

struct coverage {
    uint64_t executions; /* executions that were counted */
    uint64_t left_out;   /* executions that were too long to be counted */
    uint64_t unlisted;   /* occurrences of pairs that have no row */
    uint32_t row_count;
    bool idle;                                   /* steps were left out */
    struct coverage_row rows[COVERAGE_ROWS_MAX]; /* in the order in which they came */
    struct hash_table row_numbers;               /* by digest_of() */
};

struct coverage *coverage_create(struct pool *pool);

/* The two events happened in this order. `object` is what they share. */
void coverage_add(struct coverage *coverage, const struct event *first, const struct event *second,
                  uint64_t object, bool open);

/* Adds the pairs that another worker has seen. */
void coverage_merge(struct coverage *into, const struct coverage *from);

#endif
