/* source_root.c - see source_root.h. */
#define _GNU_SOURCE
#include "cli/outputs/source_root.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool holds_git(const char *directory) {
    char path[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/.git", directory);
    return access(path, F_OK) == 0;
}

const char *github_workspace(void) {
    const char *actions = getenv("GITHUB_ACTIONS"), *workspace = getenv("GITHUB_WORKSPACE");
    if (actions == NULL || strcmp(actions, "true") != 0)
        return NULL;
    return workspace != NULL && workspace[0] == '/' ? workspace : "/";
}

const char *source_root(const char *directory) {
    static char root[PATH_MAX];
    const char *workspace = github_workspace();
    if (workspace != NULL)
        return workspace;
    if (directory[0] != '/' || strlen(directory) >= sizeof root)
        return "/";
    strcpy(root, directory);
    while (!holds_git(root)) {
        char *slash = strrchr(root, '/');
        if (slash == root)
            return directory;
        *slash = '\0';
    }
    return root;
}
