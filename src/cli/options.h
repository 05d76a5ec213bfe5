/* options.h - the options of `heddle run`: one table, defaults, and what goes together. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/settings.h"
#include "engine/options.h"
#include "trace/trace.h"

enum minimise_mode { MINIMISE_ON, MINIMISE_OFF };

struct run_options {
    struct options engine;     /* what the session gets */
    const char *json;          /* NULL: none */
    const char *sarif, *junit; /* likewise */
    const char *html;          /* a directory, or NULL, */
    const char *corpus;        /* likewise */
    const char *suppressions;
    const char *trace;
    const char *output;
    const char *graph;  /* NULL: none */
    const char *deepen; /* NULL: not; the name of a bound, empty for the one that is given */
    bool show_races;
    enum minimise_mode minimise;
    bool quiet, verbose, help, version;
    bool yes; /* heddle sim TRACE: run its program, wherever the trace comes from */
};

extern const struct setting run_settings[];

void options_defaults(struct run_options *options);

/* Environment, then command line, then what follows from them. The index of the program in argv, or
 * -1 after one line on stderr. argv[0] is the name of the command. */
int options_parse(struct run_options *options, int argc, char **argv);

/* The same for a command that has some of these options only: `table` is made of rows of
 * run_settings. HEDDLE_OPTIONS may have the others all the same. */
int options_parse_some(struct run_options *options, const struct setting *table, int argc,
                       char **argv);

/* Rows of run_settings by their names, which NULL ends, into `table` of `size`. */
void options_rows(struct setting *table, size_t size, const char *const *names);

/* The strategies that can be chosen, a line each. */
void options_print_strategies(FILE *out);
void options_print_explorers(FILE *out);

/* Whether the strategy can say that nothing is left. */
bool options_exhaustive(const struct options *options);

/* Whether the option has a value: flags that are off and absent bounds and files have none. */
bool options_is_set(const struct run_options *options, const struct setting *row);

/* Writes what an execution depends on into a trace, and reads it back. */
void options_record(const struct run_options *options, struct trace *trace);
bool options_recall(struct run_options *options, const struct trace *trace);

#endif
