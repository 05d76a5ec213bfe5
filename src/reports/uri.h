/* uri.h - names of files for other tools: plain, relative to a directory, or escaped as a URI. */
#ifndef REPORTS_URI_H
#define REPORTS_URI_H

#include <stdbool.h>

/* A plain path: without `.`, `..` and doubled slashes, which compilers write (/build/../src/a.c).
 * Only the text is looked at, since the file may be on another machine. The caller frees the
 * result. */
char *uri_plain_path(const char *path);

/* The part of `path` behind the directory `base`, or NULL if the path is not below it. Both must be
 * plain. */
const char *uri_below(const char *path, const char *base);

/* A path, relative or absolute, with all characters escaped that a URI cannot contain. The caller
 * frees the result. */
char *uri_escaped(const char *path);

/* "file:///home/me/src/", with a slash at the end for a directory. The caller frees the result. */
char *uri_of_file(const char *path, bool directory);

#endif
