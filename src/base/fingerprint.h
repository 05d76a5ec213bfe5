/* fingerprint.h - 128 bits that stand for a state: equal fingerprints are taken to mean equal
 * states.
 *
 * By XXH3: among n states, two different ones share a fingerprint with a probability of about
 * n^2 / 2^129; for a thousand million of them that is 10^-21. */
#ifndef BASE_FINGERPRINT_H
#define BASE_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fingerprint {
    uint64_t word[2];
};

static inline bool fingerprint_equal(const struct fingerprint *a, const struct fingerprint *b) {
    return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

/* Adds a piece to a fingerprint, which begins as zeros. The order of the pieces counts. The borders
 * between pieces do not count, so if the size of a piece can vary, add the size too. */
void fingerprint_add(struct fingerprint *fingerprint, const void *bytes, size_t size);

/* Combines the fingerprints of several things whose order does not count: a sum. */
static inline void fingerprint_merge(struct fingerprint *sum, const struct fingerprint *one) {
    sum->word[0] += one->word[0];
    sum->word[1] += one->word[1];
}

static inline void fingerprint_add_number(struct fingerprint *fingerprint, uint64_t number) {
    fingerprint_add(fingerprint, &number, sizeof number);
}

#endif
