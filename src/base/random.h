/* random.h - the one seeded generator (xoshiro256**, public domain algorithm by Blackman and Vigna).
 *
 * Everything in Heddle that is random comes from here, so that a seed repeats it. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state[4];
};

void random_seed(struct random *random, uint64_t seed);
uint64_t random_next(struct random *random);

/* A generator for the n-th of something: it does not depend on what came before, and neighbours share
 * no stream. */
void random_seed_nth(struct random *random, uint64_t seed, uint64_t n);

/* Uniform in [0, bound); bound > 0. */
static inline uint32_t random_below(struct random *random, uint32_t bound) {
    /* Lemire's multiply-shift; the bias is below 2^-32 for the bounds used here. */
    return (uint32_t)(((random_next(random) >> 32) * (uint64_t)bound) >> 32);
}

#endif
