/* sampler.h - one sample after the other, each with a number of delays that are put where they are legal, by
 * stratified sampling (001, Fig. 7): ss.c has the description, and frontier.c is its other user.
 *
 * A sample is made by several executions. Each repeats the one before it up to the state where it is delayed
 * once more, and follows the explorer from there. */
#ifndef STRATEGIES_SAMPLER_H
#define STRATEGIES_SAMPLER_H

#include "base/random.h"
#include "engine/strategy.h"
#include "strategies/delaying.h"

/* Numbers of decisions. */
struct places {
    uint32_t *list;
    uint32_t count, capacity;
};

struct sampler {
    struct pool *pool; /* borrowed */
    uint64_t seed;
    uint64_t sample;      /* so many were begun */
    struct random random; /* of this one */
    uint64_t stratum;     /* so many delays it shall have */
    uint64_t stratum_least, stratum_max;
    uint64_t left;       /* so many samples are still to be drawn from this stratum */
    bool reached;        /* one of those that were drawn had all of its delays */
    struct places path;  /* where this execution is delayed, once for each time */
    struct places legal; /* where it could be delayed once more, after all that */
    uint32_t applied;    /* delays made in it */
};

void sampler_init(struct sampler *sampler, struct pool *pool, uint64_t seed, uint64_t stratum_max);

/* Another sample, without a delay yet. `legal`: where it could be delayed, if that is known. */
void sampler_next(struct sampler *sampler, const struct places *legal);

/* One delay more. False: it has all that it shall have, or there is no place for it. */
bool sampler_extend(struct sampler *sampler);

/* The execution with all delays so far begins. True: that is the sample. */
bool sampler_begin(struct sampler *sampler);

/* The option of the state at hand; `taken` of its options were taken before this sample. PICK_NOTHING:
 * strategy->error or strategy->diverged says why. */
uint32_t sampler_pick(struct sampler *sampler, struct strategy *strategy, struct delaying *delaying,
                      struct prescribed *prescribed, uint32_t taken, const struct choice *choice);

/* The execution is over. False: it did not come as far as the one before. */
bool sampler_end(const struct sampler *sampler);

void places_copy(struct pool *pool, struct places *to, const struct places *from);

#endif
