/* source_root.h - the directory from which other tools name source files. */
#ifndef CLI_SOURCE_ROOT_H
#define CLI_SOURCE_ROOT_H

/* The workspace if the tool runs in GitHub Actions, else NULL. */
const char *github_workspace(void);

/* GitHub's workspace, or the repository that contains the directory, or the directory itself. The
 * result is valid until the next call. */
const char *source_root(const char *directory);

#endif
