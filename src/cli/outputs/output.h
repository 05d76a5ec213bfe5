/* output.h - the interface of an output format.
 *
 * An output is opened before the search, is given each finding as soon as the finding is known, and
 * is ended with the run. A new format is one file in this folder, which defines `const struct
 * output_ops NAME_output`, and one row in outputs.def. The option --NAME and its help follow from
 * the row; the man page docs/man/heddle-run.1 needs a paragraph. junit.c is a short example. */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/explain/coverage.h"
#include "cli/supervise/supervise.h"
#include "engine/judge/judge.h"
#include "cli/explain/tips.h"
#include "cli/names/collect.h"
#include "cli/run/corpus.h"
#include "cli/run/stages.h"
#include "reports/ending.h"
#include "reports/reported.h"
#include "reports/wrap.h"

/* Work that a run does only if an output needs its result. */
enum output_need {
    OUTPUT_NEEDS_TREE = 1 << 0,     /* the search keeps the tree of its executions */
    OUTPUT_NEEDS_COVERAGE = 1 << 1, /* the search counts which operations ran in both orders */
    OUTPUT_NEEDS_CAUSES = 1 << 2,   /* the causes of branches get names at the end */
    OUTPUT_NEEDS_REPORTS = 1 << 3,  /* each finding keeps its report as text */
};

/* All that the tool knows about a run. Everything is borrowed and kept up to date. In `heddle
 * report`, only the first two members are set, and of `source` only the options. */
struct output_run {
    const struct collect_source *source; /* program, arguments, options, session, symbols */
    const char *directory;               /* the program was started there; empty: unknown */
    const struct reported_list *reported;
    const struct reported_list *suppressed;
    const struct suppressions *suppressions;
    const struct corpus_directory *corpus;
    const struct stages *stages; /* NULL in other commands */
    const struct supervision *supervision;

    /* From the end of the search on; until then NULL, empty or false. */
    const struct judgement *judgement;
    const struct causes *causes;
    const struct pairs *pairs;
    const struct tip *tips;
    uint32_t tip_count;
    bool explain; /* the reader wants to know why the search is so large */
};

struct output {
    const struct output_ops *ops;
    const char *option; /* "--json", for messages; NULL: the format has none */
    const char *path;   /* the value of the option; NULL: the format has none */
    const struct output_run *run;
    unsigned needs; /* a set of enum output_need; open() fills it in */
    void *own;      /* belongs to the format */
};

struct output_ops {
    /* Called before the search: says what the format needs, and whether its file can be written. 0,
     * or an exit code after one line on stderr. NULL: there is nothing to check. */
    int (*open)(struct output *self);
    /* Called for each different finding, reported or suppressed. The trace is borrowed until the
     * return, the finding until the next one. NULL: the format is written as a whole at the end. */
    void (*add)(struct output *self, const struct reported *finding, const struct trace *trace);
    /* Called once, after the search. Frees `own`. Returns false after a line on stderr for each
     * file that could not be written. */
    bool (*end)(struct output *self, const struct ending *ending);
};

/* The open() of a format that is one file: whether it can be written. Removes the file of an
 * earlier run. */
int output_open_file(struct output *self);

/* Makes the draft the file of the output, if it is `good`: as a whole, or not at all. Ends the
 * draft. Returns false after one line on stderr. */
bool output_write(const struct output *self, bool good, struct wrap_draft *draft);

#endif
