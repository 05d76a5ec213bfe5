/* statement.h - the statement around a line of source, as one line of text without comments and
 * strings. */
#ifndef CLI_STATEMENT_H
#define CLI_STATEMENT_H

#include <stdint.h>

#include "cli/names/source.h"

enum { STATEMENT_SIZE = 1024 };

/* The text is "" if the source cannot be read. */
void statement_around(struct source_files *files, const char *path, uint32_t line,
                      char text[STATEMENT_SIZE]);

#endif
