/* github.c - annotations and the summary of the job, if the run is a step of GitHub Actions
 * (reports/github.h). */
#include "reports/github.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/say.h"
#include "cli/outputs/output.h"
#include "cli/outputs/source_root.h"

/* The file for the summary of the job, or NULL. */
static const char *summary_path(void) {
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    return github_workspace() != NULL && path != NULL && path[0] != '\0' ? path : NULL;
}

static int prepare(struct output *self) {
    if (summary_path() != NULL)
        self->needs = OUTPUT_NEEDS_REPORTS;
    return 0;
}

static void add(struct output *self, const struct reported *finding, const struct trace *trace) {
    const char *workspace = github_workspace();
    (void)self;
    if (workspace != NULL && finding->because == NULL)
        github_annotate(finding, trace, workspace, stdout);
}

/* A run does not fail if GitHub has no summary to show. */
static void write_summary(const char *path, const struct ending *ending) {
    FILE *file = fopen(path, "ae");
    if (file != NULL)
        github_summary(ending, file);
    if (file == NULL || fclose(file) != 0)
        say_error(0, "GITHUB_STEP_SUMMARY: %s: %s", path, strerror(errno));
}

static bool end(struct output *self, const struct ending *ending) {
    (void)self;
    if (github_workspace() != NULL)
        github_annotate_end(ending, stdout);
    if (summary_path() != NULL)
        write_summary(summary_path(), ending);
    return true;
}

const struct output_ops github_output = {.open = prepare, .add = add, .end = end};
