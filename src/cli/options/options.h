/* options.h - the options of `heddle run`: one table, the defaults, and the checks of
 * combinations. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/options/settings.h"
#include "engine/options.h"
#include "engine/strategy.h"
#include "trace/trace.h"

/* The rows of outputs.def. */
enum output_format {
#define OUTPUT(format, argument, text, often) OUTPUT_##format,
#define OUTPUT_UNASKED(format) OUTPUT(format, , , )
#include "cli/outputs/outputs.def"
    OUTPUTS
};

enum minimise_mode { MINIMISE_ON, MINIMISE_OFF };

struct run_options {
    struct options engine;        /* the options of the search, which the session gets */
    const char *outputs[OUTPUTS]; /* for each format, a file or a directory; NULL: not wanted */
    const char *corpus;           /* a directory, or NULL */
    const char *suppressions;
    const char *trace;
    const char *output;
    /* NULL: no --deepen; otherwise the name of a bound, or empty for the given one */
    const char *deepen;
    bool strategy_named; /* by the user */
    bool show_races;
    enum minimise_mode minimise;
    bool quiet, verbose, version;
    const char *help; /* NULL: no --help; otherwise empty or "all" */
    bool yes;         /* heddle sim TRACE: runs the program of any trace without asking */
};

extern const struct setting run_settings[]; /* table.c */

void options_defaults(struct run_options *options);

/* Reads the environment, then the command line, and settles what follows from them. argv[0] is the
 * name of the command. Returns the index of the program in argv, or -1 after one line on stderr. */
int options_parse(struct run_options *options, int argc, char **argv);

/* The same for a command that has only some of these options: `table` contains rows of
 * run_settings. HEDDLE_OPTIONS may contain the other options, too. */
int options_parse_some(struct run_options *options, const struct setting *table, int argc,
                       char **argv);

/* Copies the rows of run_settings with the given names, up to a NULL, into `table` of `size`
 * rows. */
void options_rows(struct setting *table, size_t size, const char *const *names);

/* Prints the strategies that can be chosen, one in each line. */
void options_print_strategies(FILE *out);
void options_print_explorers(FILE *out);

/* Sets another strategy than the user's, with the default explorer, and settles what follows from
 * it. */
void options_take_strategy(struct options *options, const char *name);

/* Whether the user's options go with that strategy, in place of the one that they have. */
bool options_go_with(const struct run_options *options, const struct strategy_info *strategy);

/* Whether the strategy can tell that it has explored everything. */
bool options_exhaustive(const struct options *options);

/* Whether the option has a value. Flags that are off, and bounds and files that are not set, have
 * none. */
bool options_is_set(const struct run_options *options, const struct setting *row);

/* Writes the options on which an execution depends into a trace, and reads them back. */
void options_record(const struct run_options *options, struct trace *trace);
bool options_recall(struct run_options *options, const struct trace *trace);

#endif
