/* unseen.h - code of a tested program that synchronises or takes shared memory, and that Heddle does not see: what the
 * verdict must not be silent about. */
#ifndef CLI_UNSEEN_H
#define CLI_UNSEEN_H

#include "cli/omissions.h"
#include "cli/supervise.h"

/* Looks at the program and its libraries, if there were several tasks. Each that has such code
 * becomes an entry of the ledger, and supervision->unseen names the first ones. */
void unseen_find(struct supervision *supervision);

#endif
