/* random.c - see random.h. */
#include "base/random.h"

static uint64_t split_mix(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void random_seed(struct random *random, uint64_t seed) {
    for (int i = 0; i < 4; i++)
        random->state[i] = split_mix(&seed);
}

void random_seed_nth(struct random *random, uint64_t seed, uint64_t n) {
    random_seed(random, seed + n * 0xd1342543de82ef95u); /* odd, and not the factor of split_mix */
}

static uint64_t rotate(uint64_t value, int bits) {
    return (value << bits) | (value >> (64 - bits));
}

uint64_t random_next(struct random *random) {
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}
