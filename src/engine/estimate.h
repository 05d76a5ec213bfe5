/* estimate.h - how large the search is, long before it ends.
 *
 * Two ways. While a strategy explores, the share of its tree that lies behind it tells how many
 * executions there are in all (the weighted backtrack estimator of Kilby, Slaney, Thiebaux and Walsh):
 * every option of a state counts the same, so this is exact for a tree that is the same everywhere.
 * A strategy that finds its options on the way (DPOR) knows only those found so far: then the estimate
 * is too small rather than too large, and grows.
 *
 * `heddle estimate` explores nothing: of random executions, the product of the numbers of options is
 * on average the number of leaves of the whole tree (Knuth, Estimating the efficiency of backtrack
 * programs, 1975). */
#ifndef ENGINE_ESTIMATE_H
#define ENGINE_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/large.h"
#include "trace/execution.h"

struct strategy;

enum { ESTIMATES_KEPT = 16 };
#define ESTIMATE_MAX 1e300 /* what is greater, or too large for a double, is this */

/* In the session. Every field is written by itself and the reader asks for no two that fit together,
 * so it can be read at any time. */
struct estimate {
    double total;                /* executions in all, of whatever outcome; 0: unknown */
    double kept[ESTIMATES_KEPT]; /* earlier values, each of 1/16 more executions; 0: none yet */
    uint64_t kept_count;
    uint64_t next, next_kept; /* after so many executions */
    uint64_t next_steps;      /* after so many steps */
};

/* An execution of the search is over, the `executions`-th: of `depth` steps, after `steps` in all. */
void estimate_update(struct estimate *estimate, const struct strategy *strategy,
                     uint64_t executions, uint64_t steps, uint32_t depth);

/* What is left after so many executions, and between what the last estimates would put it. */
struct estimate_left {
    double total, left, low, high;
};

/* False if nothing is known. */
bool estimate_read(const struct estimate *estimate, uint64_t executions,
                   struct estimate_left *left);

/* Random executions, as samples of the tree. In the session. */
struct samples {
    uint64_t count;
    struct large sum, squares; /* of the products of options, and of their squares */
};

void samples_add(struct samples *samples, const struct execution *execution);

/* Of the number of leaves, and the square of its standard error. At least two samples. */
struct large samples_mean(const struct samples *samples);
struct large samples_variance(const struct samples *samples);

#endif
