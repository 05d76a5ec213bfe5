/* random.h - the one seeded generator (xoshiro256**, a public domain algorithm by Blackman and
 * Vigna).
 *
 * All random decisions of Heddle come from here, so that a seed repeats them. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state[4];
};

void random_seed(struct random *random, uint64_t seed);
uint64_t random_next(struct random *random);

/* Seeds a generator for the n-th element of a series. It does not depend on other elements, and no
 * two neighbours have the same numbers. */
void random_seed_nth(struct random *random, uint64_t seed, uint64_t n);

/* Uniform in [0, bound); bound > 0. */
static inline uint32_t random_below(struct random *random, uint32_t bound) {
    /* Lemire's multiply-shift; the bias is below 2^-32 for the bounds used here. */
    return (uint32_t)(((random_next(random) >> 32) * (uint64_t)bound) >> 32);
}

#endif
