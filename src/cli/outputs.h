/* outputs.h - what a run writes for other tools: --sarif, --junit, and what GitHub Actions wants when it
 * runs there. Files are opened before the search, findings are added as they come, and all is written
 * at the end. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli/options.h"
#include "reports/ending.h"
#include "reports/sarif.h"

struct outputs {
    FILE *sarif_file, *junit_file; /* or NULL */
    struct sarif *sarif;           /* with its file */
    const char *workspace;         /* of GitHub Actions, or NULL: it does not run there */
};

/* 0, or the exit code after one line on stderr. */
int outputs_open(struct outputs *outputs, const struct run_options *options);

/* The root of the sources, as those who show results see them: GitHub's workspace, or the repository
 * that the directory is in, or the directory. Stays until the next call. */
const char *outputs_source_root(const char *directory);

/* A finding that was reported, or is suppressed. */
void outputs_add(struct outputs *outputs, const struct trace *trace,
                 const struct sarif_finding *more);

/* Whether somebody will want the reports of findings as text. */
bool outputs_want_reports(const struct outputs *outputs);

/* The end. False, after a line on stderr for each, if one could not be written. */
bool outputs_close(struct outputs *outputs, const struct run_options *options,
                   const struct ending *ending);

#endif
