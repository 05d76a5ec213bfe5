/* unseen.h - finds code of a tested program that synchronises or accesses shared memory without
 * being seen by Heddle. The verdict must mention it. */
#ifndef CLI_UNSEEN_H
#define CLI_UNSEEN_H

struct result;

/* Examines the program and its libraries, if there were several tasks. Each file with such code
 * becomes an entry of the ledger, and result->unseen.code names the first ones. */
void unseen_find(struct result *result);

#endif
