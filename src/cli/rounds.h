/* rounds.h - who goes round in the longest execution (engine/rounds.h), in names and source lines. */
#ifndef CLI_ROUNDS_H
#define CLI_ROUNDS_H

#include <stdio.h>

#include "cli/collect.h"

/* An execution in the middle of which the search was ended counts, too. Nobody else may write to the
 * session any more. */
void rounds_look_at_last(struct session *session);

/* "T0 (main) and T1 (eat) go round at dining.c:6 and dining.c:7", if anybody does. */
void rounds_print(const struct collect_source *source, FILE *out);

#endif
