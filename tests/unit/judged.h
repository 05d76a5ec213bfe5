/* judged.h - options and a result for tests of the judge, which fill in what matters. */
#ifndef TESTS_JUDGED_H
#define TESTS_JUDGED_H

#include "engine/judge/judge.h"
#include "engine/options.h"
#include "engine/result.h"

extern struct options options;
extern struct result result;

/* A set-up function of cmocka: `optimal` has explored all 12 executions of a program with several
 * tasks. */
int judged_begin(void **state);

struct judgement judged(void);

#endif
