/* samples.h - how many executions are sampled from a stratum: 100 + 3^stratum, as in 001, section
 * 4. The number of executions grows exponentially with the stratum, and so does the number of
 * samples. */
#ifndef STRATEGIES_SAMPLES_H
#define STRATEGIES_SAMPLES_H

#include <stdint.h>

enum { SAMPLES_LEAST = 100, SAMPLES_BASE = 3, SAMPLES_STRATUM_MAX = 39 /* 3^40 has 64 bits */ };

static inline uint64_t samples_of(uint32_t stratum) {
    uint64_t samples = 1;
    for (uint32_t i = 0; i < stratum && i < SAMPLES_STRATUM_MAX; i++)
        samples *= SAMPLES_BASE;
    return SAMPLES_LEAST + samples;
}

#endif
