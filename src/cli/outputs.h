/* outputs.h - what a run writes for other tools: --sarif, --junit, and what GitHub Actions wants when it
 * runs there. Before the search it is asked whether files can be written, findings are added as they come, and each file
 * is written at once at the end: it is there as a whole, or not at all. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli/options.h"
#include "reports/ending.h"
#include "reports/sarif.h"
#include "reports/wrap.h"

struct outputs {
    struct sarif *sarif;   /* NULL: not wanted */
    bool junit;            /* it is wanted */
    const char *workspace; /* of GitHub Actions, or NULL: it does not run there */
};

/* Whether the file of an option can be written; the one of an earlier run is removed. `path` NULL: none is wanted. 0, or
 * the exit code after one line on stderr. */
int outputs_prepare(const char *option, const char *path);

/* Makes the draft the file, if it is `good`. Returns false after one line on stderr. Ends the draft. */
bool outputs_write(const char *path, bool good, struct wrap_draft *draft);

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
