/* estimate.h - the size of a search, long before its end.
 *
 * There are two ways. While a strategy explores, it knows the share of its tree that is explored.
 * From this share follows the number of all executions (the weighted backtrack estimator of Kilby,
 * Slaney, Thiebaux and Walsh). All options of a state count the same, so the estimate is exact if
 * the tree has the same shape everywhere. A strategy that finds its options on the way (DPOR) knows
 * only the options that it has found. Then the estimate is rather too small than too large, and
 * grows.
 *
 * `heddle estimate` explores nothing. It draws random executions. The product of the numbers of
 * options along such an execution is, on average, the number of leaves of the whole tree (Knuth,
 * Estimating the efficiency of backtrack programs, 1975). */
#ifndef ENGINE_ESTIMATE_H
#define ENGINE_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/large.h"
#include "execution/execution.h"

struct strategy;

enum { ESTIMATES_KEPT = 16 };
#define ESTIMATE_MAX 1e300 /* stands for all larger numbers */

/* In the session. It can be read at any time, because each field is written by itself, and no two
 * fields must fit together. */
struct estimate {
    double total; /* the number of all executions, with any outcome; 0: unknown */
    /* earlier values, at distances of 1/16 more executions; 0: none yet */
    double kept[ESTIMATES_KEPT];
    uint64_t kept_count;
    /* the numbers of executions after which the next value is computed and kept */
    uint64_t next, next_kept;
    uint64_t next_steps; /* the number of steps before which no value is computed */
};

/* The `executions`-th execution of the search is over. It had `depth` steps; all together had
 * `steps`. */
void estimate_update(struct estimate *estimate, const struct strategy *strategy,
                     uint64_t executions, uint64_t steps, uint32_t depth);

/* The number of executions that are left, and the range of the last estimates. */
struct estimate_left {
    double total, left, low, high;
};

/* Adds the estimate of another worker for another part of the search. The sum has no range, because
 * earlier values of the two were made at different times. The sum is unknown if one of the two
 * is. */
void estimate_merge(struct estimate *into, const struct estimate *from);

/* Returns false if nothing is known. */
bool estimate_read(const struct estimate *estimate, uint64_t executions,
                   struct estimate_left *left);

/* Random executions as samples of the tree. In the session. */
struct samples {
    uint64_t count;
    struct large sum, squares; /* of the products of options, and of their squares */
};

void samples_add(struct samples *samples, const struct execution *execution);

/* Adds samples of the same tree that another worker has drawn. */
void samples_merge(struct samples *into, const struct samples *from);

/* The estimated number of leaves, and the square of its standard error. There must be at least two
 * samples. */
struct large samples_mean(const struct samples *samples);
struct large samples_variance(const struct samples *samples);

#endif
