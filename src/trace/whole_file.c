/* whole_file.c - see whole_file.h. */
#define _GNU_SOURCE
#include "trace/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"

static bool write_all(int fd, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(fd, text, length);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        }
    }
    return true;
}

/* Like open(2) for a new file, beside the one it will replace; no temporary one if it is no ordinary
 * file. */
static int open_beside(const char *path, char **temporary) {
    struct stat status;
    *temporary = NULL;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return open(path, O_WRONLY | O_CLOEXEC);
    mode_t mask = umask(0);
    umask(mask);
    if (asprintf(temporary, "%s.XXXXXX", path) < 0)
        *temporary = NULL;
    CHECK(*temporary);
    int fd = mkostemp(*temporary, O_CLOEXEC);
    if (fd >= 0)
        fchmod(fd, 0666 & ~mask);
    return fd;
}

bool whole_file_write(const char *path, const char *text, size_t length, char *error, size_t size) {
    char *temporary;
    int fd = open_beside(path, &temporary);
    bool ok = fd >= 0;
    if (ok) {
        ok = write_all(fd, text, length);
        ok = close(fd) == 0 && ok;
        ok = ok && (temporary == NULL || rename(temporary, path) == 0);
    }
    if (!ok) {
        snprintf(error, size, "cannot write %s: %s", path, strerror(errno));
        if (fd >= 0 && temporary != NULL)
            unlink(temporary);
    }
    free(temporary);
    return ok;
}
