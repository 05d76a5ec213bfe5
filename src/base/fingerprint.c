/* fingerprint.c - see fingerprint.h. */
#include "base/fingerprint.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The first word is part of the next hash. The second word is multiplied by a factor that keeps all
 * of its bits. So two states get the same fingerprint only if both words collide. */
void fingerprint_add(struct fingerprint *fingerprint, const void *bytes, size_t size) {
    XXH128_hash_t hash = XXH3_128bits_withSeed(bytes, size, fingerprint->word[0]);
    fingerprint->word[0] = hash.low64;
    fingerprint->word[1] = fingerprint->word[1] * 0x9e3779b97f4a7c15u + hash.high64;
}
