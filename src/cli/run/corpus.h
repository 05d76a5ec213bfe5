/* corpus.h - `--corpus=DIR`: failing schedules are kept in a directory and followed first in the
 * next run. The program may have changed since: decisions that no longer fit are skipped and
 * counted (strategies/follow.h). The schedules are followed in a session of their own, before the
 * search, so the counts of the search stay what they are.
 *
 * Each file is a trace, PROGRAM-FINGERPRINT.trace, with a hash of the arguments in between if there
 * are some. So there is one file for each bug, the newest. Files of other programs or arguments are
 * left alone, so a project can have one directory for all its tests. */
#ifndef CLI_CORPUS_H
#define CLI_CORPUS_H

#include <stdio.h>

#include "cli/supervise/program.h"
#include "engine/session.h"
#include "trace/trace.h"

struct corpus_file {
    char *name; /* its name in the directory */
    struct trace trace;
};

struct corpus_directory {
    const char *path; /* borrowed; NULL: no --corpus */
    const struct program *program;
    char *const *arguments;
    struct corpus_file *files; /* the files of this program, sorted by name */
    uint32_t count;
    struct corpus_entry *entries; /* in the session, one for each file */
    /* Counted after the schedules were followed: */
    uint32_t followed, failing;
    uint32_t unfinished;      /* schedules that neither failed nor came to their end */
    uint32_t partly;          /* schedules that were followed only in part */
    uint32_t skipped, wishes; /* decisions that did not fit, and all decisions */
    uint32_t kept;            /* schedules that this run wrote */
    bool instead;             /* the run ended after the corpus, without a search */
};

/* Makes the directory if it is not there. Prints one line on stderr for each file that is no trace.
 * Returns 0, or an exit code after one line on stderr. */
int corpus_open(struct corpus_directory *corpus, const char *path, const struct program *program,
                char *const *arguments);
void corpus_close(struct corpus_directory *corpus);

/* Gives the schedules to the session. */
void corpus_fill(struct corpus_directory *corpus, struct session *session);
/* Counts the results, before the session is closed. */
void corpus_count(struct corpus_directory *corpus);

/* Keeps a failing schedule. False after one line on stderr. */
bool corpus_keep(struct corpus_directory *corpus, const char *trace_path);

/* Prints a line of the summary, "2 schedules followed first, 1 fails", or nothing. */
void corpus_print(const struct corpus_directory *corpus, FILE *out);

#endif
