/* observe.h - folds everything that a program has seen into one number. The model and the program
 * itself use the same functions, so that their numbers can be compared. */
#ifndef JUDGE_OBSERVE_H
#define JUDGE_OBSERVE_H

#include <stdint.h>

enum { OUTCOME_SLOTS = 1 << 13 }; /* slots of the file in which a program leaves its outcomes */

/* Adds a value to a log. */
#define JUDGE_FOLD(log, value) \
    ((((log) ^ ((uint64_t)(value) + 17)) * 0x9e3779b97f4a7c15u) ^ ((log) >> 29))

/* The outcome of a failed assertion is even. All other outcomes have their lowest bit set. */
#define JUDGE_FAILURE(number) (((uint64_t)(number) + 1) << 1)
#define JUDGE_OUTCOME(log) ((log) | 1)

#endif
