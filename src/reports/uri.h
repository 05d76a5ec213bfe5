/* uri.h - names of files as other tools want them: without detours, from a directory on, escaped. */
#ifndef REPORTS_URI_H
#define REPORTS_URI_H

#include <stdbool.h>

/* An absolute path without `.`, `..` and doubled slashes; compilers write /build/../src/a.c. By its
 * text alone: the file may be on another machine. The caller frees it. */
char *uri_plain_path(const char *path);

/* The rest of `path` behind the directory `base`, or NULL if it is not below it. Both are plain. */
const char *uri_below(const char *path, const char *base);

/* A path, relative or absolute, with everything escaped that a URI cannot have as it is. The caller
 * frees it. */
char *uri_escaped(const char *path);

/* "file:///home/me/src/", with a slash at the end if it is a directory. The caller frees it. */
char *uri_of_file(const char *path, bool directory);

#endif
