/* large.h - numbers that are too large for a double: products of thousands of factors, and sums of
 * such. As exact as a double; not below zero. Needs no mathematics library, since it runs inside the
 * tested program. */
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
/* 0 if b is the greater one. */
struct large large_minus(struct large a, struct large b);

/* Infinity if it is too large. */
double large_double(struct large a);

#endif
