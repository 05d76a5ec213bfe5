/* large.h - numbers that are too large for a double: products of thousands of factors, and their
 * sums. They are as exact as a double, and never negative. They need no mathematics library,
 * because they are used inside the tested program. */
#ifndef BASE_LARGE_H
#define BASE_LARGE_H

#include <stdint.h>

/* mantissa * 2^(64 * power). The mantissa is 0, or below 2^64 and at least 1 unless power is 0. */
struct large {
    double mantissa;
    int64_t power;
};

struct large large_of(double number);
struct large large_times(struct large a, struct large b);
struct large large_plus(struct large a, struct large b);
/* Returns 0 if b is greater than a. */
struct large large_minus(struct large a, struct large b);

#endif
