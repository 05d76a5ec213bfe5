/* whole_file.h - files that are never incomplete: a file is written under another name, and then
 * renamed. */
#ifndef TRACE_WHOLE_FILE_H
#define TRACE_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* If the path is a symbolic link, the link stays, and its target is replaced. A file that is not an
 * ordinary one (a device, a pipe, a descriptor such as /dev/stdout) is written directly, and so is
 * a file in whose directory no file can be made. Returns false with one line in `error`; the file
 * is then as it was. */
bool whole_file_write(const char *path, const char *text, size_t length, char *error, size_t size);

/* Called before work that takes long: removes the file of an earlier run, so that it is not taken
 * for the result of this one. Returns false with one line in `error` if the file cannot be
 * written. */
bool whole_file_prepare(const char *path, char *error, size_t size);

/* Whether the file can be written again and again. A pipe or a device cannot. */
bool whole_file_replaces(const char *path);

#endif
