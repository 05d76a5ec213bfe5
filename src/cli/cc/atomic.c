/* atomic.c - see cc/atomic.h. This is a plain search in the text. It may find too much; then some
 * functions are not inlined although they could be. Left out: files that are found by -I. */
#define _GNU_SOURCE
#include "cli/cc/atomic.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NESTING_MAX = 8 };

static bool mentioned(const char *path, uint32_t nesting);

/* Returns true if the text has such a name, for example __VERIFIER_atomic_swap. The calls
 * __VERIFIER_atomic_begin and _end do not count, because they are not functions of the program. */
static bool has_name(const char *text, const char *end) {
    static const char prefix[] = "__VERIFIER_atomic_";
    while ((text = memmem(text, (size_t)(end - text), prefix, sizeof prefix - 1)) != NULL) {
        text += sizeof prefix - 1;
        bool begin = end - text > 5 && strncmp(text, "begin", 5) == 0;
        bool over = end - text > 3 && strncmp(text, "end", 3) == 0;
        if (!begin && !over)
            return true;
    }
    return false;
}

/* Looks into the files of the lines `#include "NAME"`, in the directory of the including file. */
static bool included_has_name(const char *path, const char *text, const char *end,
                              uint32_t nesting) {
    static const char word[] = "include \"";
    const char *slash = strrchr(path, '/');
    int directory = slash ? (int)(slash - path) + 1 : 0;
    while ((text = memmem(text, (size_t)(end - text), word, sizeof word - 1)) != NULL) {
        text += sizeof word - 1;
        const char *quote = memchr(text, '"', (size_t)(end - text));
        char name[4096];
        if (quote == NULL)
            return false;
        int length =
            snprintf(name, sizeof name, "%.*s%.*s", directory, path, (int)(quote - text), text);
        if (length > 0 && length < (int)sizeof name && mentioned(name, nesting + 1))
            return true;
    }
    return false;
}

static bool mentioned(const char *path, uint32_t nesting) {
    struct stat about;
    bool found = false;
    if (nesting > NESTING_MAX || stat(path, &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_size == 0)
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    size_t size = (size_t)about.st_size;
    char *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (text == MAP_FAILED)
        return false;
    found = has_name(text, text + size) || included_has_name(path, text, text + size, nesting);
    munmap(text, size);
    return found;
}

bool atomic_mentioned(const char *path) {
    return mentioned(path, 0);
}
