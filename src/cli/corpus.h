/* corpus.h - `--corpus=DIR`: schedules that have failed are kept in a directory, and followed first in the next
 * run, also after changes of the program: what no longer fits is skipped, and counted.
 *
 * A file there is a trace, PROGRAM-FINGERPRINT.trace, with a
 * hash of the arguments in between if there are some; so each bug has one, the newest. Those of other
 * programs, or of other arguments, are left alone: a project can have one directory for all its tests. */
#ifndef CLI_CORPUS_H
#define CLI_CORPUS_H

#include <stdio.h>

#include "cli/program.h"
#include "engine/session.h"
#include "trace/trace.h"

struct corpus_file {
    char *name; /* in the directory */
    struct trace trace;
};

struct corpus_directory {
    const char *path; /* borrowed; NULL: there is none */
    const struct program *program;
    char *const *arguments;
    struct corpus_file *files; /* that belong to this program, by name */
    uint32_t count;
    struct corpus_entry *entries; /* the session's, one a file */
    /* After they were followed: */
    uint32_t followed, failing;
    uint32_t unfinished;      /* neither failed nor came to their end, */
    uint32_t partly;          /* so many followed only in part, */
    uint32_t skipped, wishes; /* so many of whose decisions did not fit, of so many */
    uint32_t kept;            /* written by this run */
    bool instead;             /* of the search, which was not begun */
};

/* Makes the directory if it is not there. A file that is no trace costs one line on stderr. 0, or an exit
 * code after one line. */
int corpus_open(struct corpus_directory *corpus, const char *path, const struct program *program,
                char *const *arguments);
void corpus_close(struct corpus_directory *corpus);

/* What the session is to follow. */
void corpus_fill(struct corpus_directory *corpus, struct session *session);
/* What came of it, before the session is closed. */
void corpus_count(struct corpus_directory *corpus);

/* Keeps a failing schedule. False after one line on stderr. */
bool corpus_keep(struct corpus_directory *corpus, const char *trace_path);

/* A line of the summary, "2 schedules followed first, 1 fails", or nothing. */
void corpus_print(const struct corpus_directory *corpus, FILE *out);

#endif
