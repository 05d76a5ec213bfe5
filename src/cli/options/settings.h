/* settings.h - the options of a command, described by a table and read into a struct.
 *
 * These forms are read: GNU long options (--name=value, --name value, --name), single letters (-q),
 * and `--`. The first word that is not an option ends the options; the caller uses this word and
 * all others. The same table also reads "name=value:name" from an environment variable, prints the
 * help, and converts values back to text. */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum setting_kind {
    SETTING_FLAG,   /* bool */
    SETTING_NUMBER, /* uint32_t */
    SETTING_LONG,   /* uint64_t */
    SETTING_SIZE,   /* uint64_t, bytes; K, M, G */
    SETTING_TIME,   /* uint32_t, milliseconds; ms, s, m, h, without any: seconds */
    SETTING_WORD,   /* an enum: the index in `words` */
    /* uint32_t: "choose:N" or "choose=N" (in a list, ':' ends a value); 0: "fixed" */
    SETTING_CHOICES,
    SETTING_NAME,     /* char[max + 1] */
    SETTING_TEXT,     /* const char *, borrowed */
    SETTING_OPTIONAL, /* const char *, borrowed; empty without a value */
};

/* The group of an option in the help. A table without groups is one list. */
enum setting_group {
    GROUP_NONE,
    GROUP_SEARCH,
    GROUP_BOUNDS,
    GROUP_WRONG,
    GROUP_PROGRAM,
    GROUP_OUTPUT,
    SETTING_GROUPS
};

struct setting {
    const char *name;
    char letter; /* or 0: none */
    enum setting_kind kind;
    const char *value; /* the name of the value in the help; NULL for a flag */
    const char *help;
    size_t offset; /* the offset in the struct that is filled in */
    uint64_t min, max;
    const char *const *words; /* ended by NULL */
    bool repeats;             /* an execution depends on it, so traces record it */
    enum setting_group group;
    bool common; /* the short help shows this option */
};

struct settings {
    const struct setting *table; /* ended by a row without a name */
    void *values;                /* borrowed */
    uint64_t given;              /* one bit for each row */
};

/* Reads the arguments from argv[1] on. Returns the index of the first word that is not an option,
 * or -1 after one line on stderr. */
int settings_parse(struct settings *settings, int argc, char **argv);

/* The same for a command about one trace; options may come before and after the trace. Returns
 * false after one line on stderr, if an option is wrong, if there is no trace (unless `help` was
 * set), or if there are several. */
bool settings_parse_trace(struct settings *settings, int argc, char **argv, const bool *help,
                          const char **trace);

/* Reads "name=value:name" from the environment, and changes the string. Returns false after one
 * line on stderr. */
bool settings_parse_list(struct settings *settings, const char *variable, char *list);

/* Sets one option by its name. Returns false if there is no such option, or if the value is not
 * valid. */
bool settings_set(struct settings *settings, const char *name, const char *value);

bool settings_given(const struct settings *settings, const char *name);

/* The present value, in the form that settings_set() reads. */
void settings_format(const struct settings *settings, const struct setting *row, char *text,
                     size_t size);

void settings_help(const struct setting *table, FILE *out);
/* The same in groups, each with a title. */
void settings_help_groups(const struct setting *table, FILE *out);
/* Only the options that most users need. */
void settings_help_common(const struct setting *table, FILE *out);

#endif
