/* source.h - lines of source files; each file is read once. */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include <stdint.h>

struct source_files;

struct source_files *source_create(void);
void source_destroy(struct source_files *files);

/* Returns line `line`, counted from 1, without the blanks around it; "" if the file or the line
 * does not exist. The text is valid until the next call. */
const char *source_line(struct source_files *files, const char *path, uint32_t line);

/* Returns the line as it stands in the file, or NULL. */
const char *source_text(struct source_files *files, const char *path, uint32_t line);

#endif
