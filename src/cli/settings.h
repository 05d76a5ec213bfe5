/* settings.h - options of a command, described by a table and read into a struct.
 *
 * GNU long options (--name=value, --name value, --name), single letters (-q), `--`, and everything
 * from the first word on that is no option belongs to whoever comes next. The same table reads
 * "name=value:name" from an environment variable, prints the help, and turns values back to text. */
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
    SETTING_CHOICES, /* uint32_t: "choose:N" or "choose=N" (in a list, ':' ends a value); 0: "fixed" */
    SETTING_NAME,    /* char[max + 1] */
    SETTING_TEXT,    /* const char *, borrowed */
    SETTING_OPTIONAL, /* const char *, borrowed; empty without a value */
};

struct setting {
    const char *name;
    char letter; /* or 0 */
    enum setting_kind kind;
    const char *value; /* its name in the help; NULL for a flag */
    const char *help;
    size_t offset; /* in the struct that is filled */
    uint64_t min, max;
    const char *const *words; /* ended by NULL */
    bool repeats;             /* needed to repeat an execution: is recorded in traces */
};

struct settings {
    const struct setting *table; /* ended by a row without a name */
    void *values;                /* borrowed */
    uint64_t given;              /* bit by row */
};

/* Reads argv[1] and on; the index of the first word that is no option, or -1 after one line on
 * stderr. */
int settings_parse(struct settings *settings, int argc, char **argv);

/* The same for a command about one trace: options may stand on either side of it. False after one line on
 * stderr: a bad option, no trace unless `help` has been set meanwhile, or more than one. */
bool settings_parse_trace(struct settings *settings, int argc, char **argv, const bool *help,
                          const char **trace);

/* "name=value:name" from the environment. False after one line on stderr. The string is used up. */
bool settings_parse_list(struct settings *settings, const char *variable, char *list);

/* One option by its name; false if there is none of that name, or not with such a value. */
bool settings_set(struct settings *settings, const char *name, const char *value);

bool settings_given(const struct settings *settings, const char *name);

/* The present value as settings_set would take it. */
void settings_format(const struct settings *settings, const struct setting *row, char *text,
                     size_t size);

void settings_help(const struct setting *table, FILE *out);

#endif
