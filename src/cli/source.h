/* source.h - lines of source files, each file read once. */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include <stdint.h>

struct source_files;

struct source_files *source_create(void);
void source_destroy(struct source_files *files);

/* Line `line`, from 1, without the blanks around it; "" where file or line cannot be had. It holds
 * until the next call. */
const char *source_line(struct source_files *files, const char *path, uint32_t line);

/* The same as it stands in the file; NULL where it cannot be had. */
const char *source_text(struct source_files *files, const char *path, uint32_t line);

#endif
