/* rounds.h - the tasks that go round in the longest execution (engine/rounds.h), in names and
 * source lines. */
#ifndef CLI_ROUNDS_H
#define CLI_ROUNDS_H

#include <stdio.h>

#include "cli/names/collect.h"

/* Also examines the execution in the middle of which the search was ended. No other process may
 * write to the session any more. */
void rounds_look_at_last(struct session *session);

/* Writes "T0 (main) and T1 (eat) go round at dining.c:6 and dining.c:7", if there are such
 * tasks. */
void rounds_print(const struct collect_source *source, FILE *out);

#endif
