/* again.h - a search that has to begin again in another session. The program may turn out to need
 * an option that changes what an operation is (result.h, enum lacking). Nothing that the search
 * knows holds with that option. */
#ifndef CLI_AGAIN_H
#define CLI_AGAIN_H

#include "cli/supervise/supervise.h"

/* Leaves the rest of --timeout for the work after this supervision. */
void supervise_pass_time(const struct supervision *supervision, struct options *options);

/* Returns true if the search must be repeated in another session, because it lacked an option. Sets
 * that option. */
bool supervise_again(const struct supervision *supervision, struct options *options);

#endif
