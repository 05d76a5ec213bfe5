/* whole_file.c - see whole_file.h. */
#define _GNU_SOURCE
#include "trace/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/check.h"

/* --- what a path stands for --- */

/* The descriptor that a path names, or -1. Such a path leads to an open file. If the file were
 * replaced, the process that has it open would not see the new content. */
static int named_descriptor(const char *path) {
    static const struct {
        const char *name;
        int descriptor;
    } names[] = {{"/dev/stdout", STDOUT_FILENO}, {"/dev/stderr", STDERR_FILENO}};
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(path, names[i].name) == 0)
            return names[i].descriptor;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        size_t length = strlen(folders[i]);
        if (strncmp(path, folders[i], length) == 0 && path[length] != '\0' &&
            path[length + strspn(path + length, "0123456789")] == '\0')
            return atoi(path + length);
    }
    return -1;
}

/* The target of symbolic links. The target need not exist. */
static void resolve(const char *path, char target[PATH_MAX]) {
    enum { LINKS_MAX = 40 };
    char link[PATH_MAX], next[2 * PATH_MAX];
    snprintf(target, PATH_MAX, "%s", path);
    for (int i = 0; i < LINKS_MAX; i++) {
        ssize_t length = readlink(target, link, sizeof link - 1);
        if (length < 0)
            return;
        link[length] = '\0';
        const char *slash = link[0] == '/' ? NULL : strrchr(target, '/');
        snprintf(next, sizeof next, "%.*s%s", slash ? (int)(slash + 1 - target) : 0, target, link);
        snprintf(target, PATH_MAX, "%.*s", PATH_MAX - 1, next);
    }
}

bool whole_file_replaces(const char *path) {
    struct stat status;
    return named_descriptor(path) < 0 && (stat(path, &status) != 0 || S_ISREG(status.st_mode));
}

/* --- writing --- */

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

static bool write_and_close(int fd, const char *text, size_t length) {
    bool ok = fd >= 0 && write_all(fd, text, length);
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && ok)
        return false;
    errno = why;
    return ok;
}

static bool write_in_place(const char *path, const char *text, size_t length) {
    int named = named_descriptor(path);
    int fd = named >= 0
                 ? fcntl(named, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                 : open(path, O_WRONLY | O_CLOEXEC | (whole_file_replaces(path) ? O_TRUNC : 0));
    return write_and_close(fd, text, length);
}

/* Makes a new file beside the one that it will replace, with the same permissions. */
static int open_beside(const char *target, char **temporary) {
    struct stat status;
    mode_t mask = umask(0);
    umask(mask);
    bool there = stat(target, &status) == 0;
    if (asprintf(temporary, "%s.XXXXXX", target) < 0)
        *temporary = NULL;
    CHECK(*temporary);
    int fd = mkostemp(*temporary, O_CLOEXEC);
    if (fd >= 0)
        fchmod(fd, there ? status.st_mode & 0777 : 0666 & ~mask);
    return fd;
}

/* Whether no file can be made or renamed beside the file, although the file itself could be
 * written: because of the rights of its directory, or because the file is a mount of its own. */
static bool is_fixed(const char *target, int why) {
    return (why == EACCES || why == EPERM || why == EROFS || why == EBUSY) &&
           access(target, W_OK) == 0;
}

static bool replace(const char *target, const char *text, size_t length) {
    char *temporary;
    int fd = open_beside(target, &temporary);
    bool made = fd >= 0;
    bool ok = write_and_close(fd, text, length) && rename(temporary, target) == 0;
    int why = errno;
    if (made && !ok)
        unlink(temporary);
    free(temporary);
    errno = why;
    return ok || (is_fixed(target, why) && write_in_place(target, text, length));
}

/* Signals are blocked while the file has its temporary name. */
bool whole_file_write(const char *path, const char *text, size_t length, char *error, size_t size) {
    char target[PATH_MAX];
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    resolve(path, target);
    bool ok = whole_file_replaces(path) ? replace(target, text, length)
                                        : write_in_place(path, text, length);
    if (!ok)
        snprintf(error, size, "cannot write %s: %s", path, strerror(errno));
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ok;
}

/* --- before --- */

static bool can_replace(const char *target) {
    char *temporary;
    int fd = open_beside(target, &temporary);
    int why = errno;
    if (fd >= 0) {
        close(fd);
        unlink(temporary);
        unlink(target);
    }
    free(temporary);
    errno = why;
    return fd >= 0 || (is_fixed(target, why) && truncate(target, 0) == 0);
}

static bool can_write(const char *path) {
    struct stat status;
    int named = named_descriptor(path);
    if (named >= 0)
        return fcntl(named, F_GETFD) >= 0;
    errno = EISDIR;
    return !(stat(path, &status) == 0 && S_ISDIR(status.st_mode)) && access(path, W_OK) == 0;
}

bool whole_file_prepare(const char *path, char *error, size_t size) {
    char target[PATH_MAX];
    resolve(path, target);
    if (whole_file_replaces(path) ? can_replace(target) : can_write(path))
        return true;
    snprintf(error, size, "%s: %s", path, strerror(errno));
    return false;
}
