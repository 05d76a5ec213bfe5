/* observe.h - what a program has seen, as one number. Used by the model and by the program itself, so
 * that both speak of the same. */
#ifndef JUDGE_OBSERVE_H
#define JUDGE_OBSERVE_H

#include <stdint.h>

enum { OUTCOME_SLOTS = 1 << 13 }; /* of the file in which a program leaves its outcomes */

/* A log with one more value in it. */
#define JUDGE_FOLD(log, value) \
    ((((log) ^ ((uint64_t)(value) + 17)) * 0x9e3779b97f4a7c15u) ^ ((log) >> 29))

/* The outcome of a failed assertion. Others have their lowest bit set. */
#define JUDGE_FAILURE(number) (((uint64_t)(number) + 1) << 1)
#define JUDGE_OUTCOME(log) ((log) | 1)

#endif
