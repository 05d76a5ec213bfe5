/* outputs.c - see outputs.h. */
#define _GNU_SOURCE
#include "cli/outputs.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/say.h"
#include "reports/github.h"
#include "reports/junit.h"
#include "trace/whole_file.h"

/* --- where files are named from --- */

static bool holds_git(const char *directory) {
    char path[PATH_MAX + 8];
    snprintf(path, sizeof path, "%s/.git", directory);
    return access(path, F_OK) == 0;
}

static const char *github_workspace(void) {
    const char *actions = getenv("GITHUB_ACTIONS"), *workspace = getenv("GITHUB_WORKSPACE");
    if (actions == NULL || strcmp(actions, "true") != 0)
        return NULL;
    return workspace != NULL && workspace[0] == '/' ? workspace : "/";
}

const char *outputs_source_root(const char *directory) {
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

/* --- before the search --- */

int outputs_prepare(const char *option, const char *path) {
    char error[PATH_MAX + 200];
    if (path == NULL || whole_file_prepare(path, error, sizeof error))
        return 0;
    return say_error(EXIT_USAGE, "%s: %s", option, error);
}

int outputs_open(struct outputs *outputs, const struct run_options *options) {
    char here[PATH_MAX];
    const char *directory = getcwd(here, sizeof here) != NULL ? here : "/";
    *outputs = (struct outputs){.workspace = github_workspace()};
    outputs->junit = options->junit != NULL;
    int code = outputs_prepare("--sarif", options->sarif);
    if (code == 0)
        code = outputs_prepare("--junit", options->junit);
    if (options->sarif != NULL)
        outputs->sarif =
            sarif_create(outputs_source_root(directory), options->suppressions != NULL);
    return code;
}

/* --- findings --- */

void outputs_add(struct outputs *outputs, const struct trace *trace,
                 const struct sarif_finding *more) {
    if (outputs->sarif != NULL)
        sarif_add(outputs->sarif, trace, more);
    if (outputs->workspace != NULL && more->suppressed == NULL)
        github_annotate(trace, outputs->workspace, stdout);
}

static const char *summary_path(const struct outputs *outputs) {
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    return outputs->workspace != NULL && path != NULL && path[0] != '\0' ? path : NULL;
}

bool outputs_want_reports(const struct outputs *outputs) {
    return outputs->junit || summary_path(outputs) != NULL;
}

/* --- the end --- */

bool outputs_write(const char *path, bool good, struct wrap_draft *draft) {
    char error[PATH_MAX + 200] = "";
    char *text = wrap_drafted(draft);
    good = good && whole_file_write(path, text, draft->length, error, sizeof error);
    const char *why = strrchr(error, ':'); /* behind the path, which we name ourselves */
    if (!good)
        say_error(0, "%s: could not be written%s", path, why != NULL ? why : "");
    free(text);
    return good;
}

/* What GitHub shows besides is not worth failing for. */
static void tell_github(const struct outputs *outputs, const struct ending *ending) {
    const char *path = summary_path(outputs);
    if (outputs->workspace != NULL)
        github_annotate_end(ending, stdout);
    FILE *file = path != NULL ? fopen(path, "ae") : NULL;
    if (file != NULL)
        github_summary(ending, file);
    if (path != NULL && (file == NULL || fclose(file) != 0))
        say_error(0, "GITHUB_STEP_SUMMARY: %s: %s", path, strerror(errno));
}

bool outputs_close(struct outputs *outputs, const struct run_options *options,
                   const struct ending *ending) {
    struct wrap_draft draft;
    bool good = true;
    if (outputs->sarif != NULL)
        good = outputs_write(options->sarif,
                             sarif_write(outputs->sarif, ending, wrap_draft(&draft)), &draft);
    if (options->junit != NULL)
        good =
            outputs_write(options->junit, junit_write(ending, wrap_draft(&draft)), &draft) && good;
    tell_github(outputs, ending);
    sarif_destroy(outputs->sarif);
    return good;
}
