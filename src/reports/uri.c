/* uri.c - see uri.h. RFC 3986: unreserved characters and the slash stand for themselves. */
#define _GNU_SOURCE
#include "reports/uri.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* The length of a path without its last segment. */
static size_t without_last(const char *path, size_t length) {
    while (length > 1 && path[length - 1] != '/')
        length--;
    return length > 1 ? length - 1 : length;
}

char *uri_plain_path(const char *path) {
    char *plain = malloc(strlen(path) + 2);
    size_t length = 0;
    CHECK(plain);
    bool absolute = path[0] == '/';
    if (absolute)
        plain[length++] = '/';
    while (*path != '\0') {
        size_t segment = strcspn(path, "/");
        bool up = segment == 2 && path[0] == '.' && path[1] == '.';
        if (up && absolute) {
            length = without_last(plain, length);
        } else if (segment > 0 && !(segment == 1 && path[0] == '.')) {
            if (length > 0 && plain[length - 1] != '/')
                plain[length++] = '/';
            memcpy(plain + length, path, segment);
            length += segment;
        }
        path += segment + (path[segment] == '/');
    }
    plain[length] = '\0';
    return plain;
}

const char *uri_below(const char *path, const char *base) {
    size_t length = strlen(base);
    if (length > 0 && base[length - 1] == '/') /* the root */
        length--;
    if (strncmp(path, base, length) != 0 || path[length] != '/' || path[length + 1] == '\0')
        return NULL;
    return path + length + 1;
}

char *uri_escaped(const char *path) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-._~/";
    char *escaped = malloc(3 * strlen(path) + 1), *to = escaped;
    CHECK(escaped);
    for (; *path != '\0'; path++)
        if (strchr(plain, *path) != NULL)
            *to++ = *path;
        else
            to += sprintf(to, "%%%02X", (unsigned char)*path);
    *to = '\0';
    return escaped;
}

char *uri_of_file(const char *path, bool directory) {
    char *escaped = uri_escaped(path), *uri = NULL;
    size_t length = strlen(path);
    bool slash = directory && (length == 0 || path[length - 1] != '/');
    CHECK(asprintf(&uri, "file://%s%s", escaped, slash ? "/" : "") >= 0);
    free(escaped);
    return uri;
}
