/* paths.c - looks for libheddle.so, heddle/heddle.h and heddle_gdb/ around the running executable.
 *
 * In the build tree the library and heddle_gdb/ stand beside the tool, and the headers in the
 * source tree. An installation has PREFIX/bin/heddle, PREFIX/<libdir>, PREFIX/<datadir>/heddle and
 * PREFIX/include. The library beside the tool shows that this is a build tree. So an installed tool
 * never looks into a source tree that happens to be there. */
#define _GNU_SOURCE
#include "cli/base/paths.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef HEDDLE_INSTALL_LIBDIR
#define HEDDLE_INSTALL_LIBDIR "lib"
#endif

#ifndef HEDDLE_INSTALL_DATADIR
#define HEDDLE_INSTALL_DATADIR "share"
#endif

static const char LIBRARY[] = "libheddle.so";
static const char HEADER[] = "heddle/heddle.h";
static const char SCRIPT[] = "heddle_gdb/start.py";

/* Returns the directory of the running tool, or "" if /proc does not tell. */
static const char *own_directory(void) {
    static char directory[PATH_MAX];
    if (directory[0])
        return directory;
    ssize_t length = readlink("/proc/self/exe", directory, sizeof directory - 1);
    directory[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(directory, '/');
    if (slash)
        *slash = '\0';
    return directory;
}

/* Returns true if `directory`/`below` holds `file`, and puts its real path into `found`. */
static bool holds(const char *directory, const char *below, const char *file, char *found) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s/%s", directory, below, file) >= (int)sizeof path ||
        access(path, R_OK) != 0)
        return false;
    snprintf(path, sizeof path, "%s/%s", directory, below);
    return realpath(path, found) != NULL;
}

static bool find_library_directory(char *found) {
    const char *wish = getenv("HEDDLE_LIBDIR");
    if (wish && *wish)
        return holds(wish, ".", LIBRARY, found);
    const char *own = own_directory();
    return holds(own, ".", LIBRARY, found) ||
           holds(own, "../" HEDDLE_INSTALL_LIBDIR, LIBRARY, found) ||
           holds(own, "../lib", LIBRARY, found);
}

static bool find_include(char *found) {
    const char *wish = getenv("HEDDLE_INCLUDEDIR");
    if (wish && *wish)
        return holds(wish, ".", HEADER, found);
#ifdef HEDDLE_SOURCE_INCLUDE
    char ignored[PATH_MAX];
    if (holds(own_directory(), ".", LIBRARY, ignored) &&
        holds(HEDDLE_SOURCE_INCLUDE, ".", HEADER, found))
        return true;
#endif
    return holds(own_directory(), "../include", HEADER, found);
}

const char *paths_library_directory(void) {
    static char directory[PATH_MAX];
    return directory[0] || find_library_directory(directory) ? directory : NULL;
}

const char *paths_library(void) {
    static char library[PATH_MAX];
    const char *directory = paths_library_directory();
    if (!directory ||
        snprintf(library, sizeof library, "%s/%s", directory, LIBRARY) >= (int)sizeof library)
        return NULL;
    return library;
}

const char *paths_gdb_script(void) {
    static char script[PATH_MAX];
    char directory[PATH_MAX];
    const char *own = own_directory();
    if (!holds(own, ".", SCRIPT, directory) &&
        !holds(own, "../" HEDDLE_INSTALL_DATADIR "/heddle", SCRIPT, directory))
        return NULL;
    int length = snprintf(script, sizeof script, "%s/%s", directory, SCRIPT);
    return length < (int)sizeof script ? script : NULL;
}

const char *paths_include(void) {
    static char directory[PATH_MAX];
    return directory[0] || find_include(directory) ? directory : NULL;
}
