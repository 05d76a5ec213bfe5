/* whole_file.h - a file that is there is whole: it is written under another name, then renamed. */
#ifndef TRACE_WHOLE_FILE_H
#define TRACE_WHOLE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* What is there and no ordinary file (a device, a pipe) is written to as it is. False with one line in
 * `error`; then the file is as it was. */
bool whole_file_write(const char *path, const char *text, size_t length, char *error, size_t size);

#endif
