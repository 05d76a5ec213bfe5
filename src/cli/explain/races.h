/* races.h - why the search is as large as it is, for people: the branches one by one
 * (--show-races), their main causes, and tips. */
#ifndef CLI_RACES_H
#define CLI_RACES_H

#include <stdio.h>

#include "cli/explain/tips.h"

/* Writes one line for each branch, and how many were left out. */
void races_show(const struct causes *causes, FILE *out);

/* Writes the lines for the summary. */
void races_print_causes(const struct causes *causes, FILE *out);
void races_print_tips(const struct tip *tips, uint32_t count, FILE *out);

#endif
