/* sampler.h - draws one sample after the other by stratified sampling (001, Fig. 7). A sample is an
 * execution with a number of delays, at places where they are legal. ss.c describes it; frontier.c
 * uses this as well.
 *
 * A sample is made by several executions. Each of them repeats the one before up to the state where
 * it is delayed once more, and follows the explorer from there. */
#ifndef STRATEGIES_SAMPLER_H
#define STRATEGIES_SAMPLER_H

#include "base/random.h"
#include "engine/strategy.h"
#include "strategies/delaying.h"

/* Places in an execution, as numbers of decisions. */
struct places {
    uint32_t *list;
    uint32_t count, capacity;
};

struct sampler {
    struct pool *pool; /* borrowed */
    uint64_t seed;
    uint64_t sample;      /* number of samples begun */
    struct random random; /* generator of this sample */
    uint64_t stratum;     /* number of delays that the sample shall have */
    uint64_t stratum_least, stratum_max;
    uint64_t left;      /* number of samples still to be drawn from this stratum */
    bool reached;       /* some sample of this stratum had all of its delays */
    struct places path; /* where this execution is delayed, one entry for each delay */
    /* where the execution could be delayed once more, after all of its delays */
    struct places legal;
    uint32_t applied; /* number of delays made in this execution */
    char mistake[MISTAKE_TEXT];
};

void sampler_init(struct sampler *sampler, struct pool *pool, uint64_t seed, uint64_t stratum_max);

/* Begins another sample, without a delay yet. `legal` says where it could be delayed, if that is
 * known. */
void sampler_next(struct sampler *sampler, const struct places *legal);

/* Adds one delay. Returns false if the sample has all of its delays, or there is no place for one
 * more. */
bool sampler_extend(struct sampler *sampler);

/* Begins the execution with all delays so far. Returns true if that execution is the sample. */
bool sampler_begin(struct sampler *sampler);

/* Returns the option of the state at hand, or PICK_DIVERGED, or PICK_MISTAKEN. `taken` is the
 * number of options of the state that were taken before this sample. */
uint32_t sampler_pick(struct sampler *sampler, struct strategy *strategy, struct delaying *delaying,
                      struct prescribed *prescribed, uint32_t taken, const struct choice *choice);

/* Ends the execution. Returns false if it did not come as far as the one before. */
bool sampler_end(const struct sampler *sampler);

void places_copy(struct pool *pool, struct places *to, const struct places *from);

#endif
