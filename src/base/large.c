/* large.c - see large.h. */
#include "base/large.h"

static const double UNIT = 18446744073709551616.0; /* 2^64 */

static struct large normal(double mantissa, int64_t power) {
    while (mantissa >= UNIT) {
        mantissa /= UNIT;
        power++;
    }
    while (mantissa > 0 && mantissa < 1 && power > 0) {
        mantissa *= UNIT;
        power--;
    }
    return (struct large){mantissa, mantissa > 0 ? power : 0};
}

struct large large_of(double number) {
    return normal(number, 0);
}

struct large large_times(struct large a, struct large b) {
    return normal(a.mantissa * b.mantissa, a.power + b.power);
}

/* The mantissa of the same number with a greater power. It is soon 0. */
static double mantissa_at(struct large a, int64_t power) {
    for (; a.power < power && a.mantissa > 0; a.power++)
        a.mantissa /= UNIT;
    return a.mantissa;
}

static int64_t greater(int64_t a, int64_t b) {
    return a > b ? a : b;
}

struct large large_plus(struct large a, struct large b) {
    int64_t power = greater(a.power, b.power);
    return normal(mantissa_at(a, power) + mantissa_at(b, power), power);
}

struct large large_minus(struct large a, struct large b) {
    int64_t power = greater(a.power, b.power);
    double mantissa = mantissa_at(a, power) - mantissa_at(b, power);
    return mantissa > 0 ? normal(mantissa, power) : (struct large){0, 0};
}
