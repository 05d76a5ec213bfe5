/* whole_file.h - a file that is there is whole: it is written under another name, then renamed. */
#ifndef TRACE_WHOLE_FILE_H
#define TRACE_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* A symbolic link stays, and what it names is replaced. What is there and no ordinary file (a device, a pipe, a
 * descriptor such as /dev/stdout) is written to as it is, and so is a file in whose directory nothing can be made. False
 * with one line in `error`; then the file is as it was. */
bool whole_file_write(const char *path, const char *text, size_t length, char *error, size_t size);

/* Before something that takes long: the file of an earlier run is removed, so that it is not taken for the result of
 * this one. False with one line in `error` if the file cannot be written. */
bool whole_file_prepare(const char *path, char *error, size_t size);

/* Whether it can be written more than once, each time anew: a pipe or a device cannot. */
bool whole_file_replaces(const char *path);

#endif
