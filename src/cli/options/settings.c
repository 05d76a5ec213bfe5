/* settings.c - see settings.h. */
#include "cli/options/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cli/base/say.h"

/* --- values --- */

struct unit {
    const char *name;
    uint64_t factor;
};

static const struct unit no_units[] = {{"", 1}, {NULL, 0}};
static const struct unit sizes[] = {
    {"", 1}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {NULL, 0}};
static const struct unit times[] = {{"", 1000},   {"ms", 1},      {"s", 1000},
                                    {"m", 60000}, {"h", 3600000}, {NULL, 0}};

static const struct unit *units_of(enum setting_kind kind) {
    return kind == SETTING_SIZE ? sizes : kind == SETTING_TIME ? times : no_units;
}

/* A number consists of digits, a fraction if units are allowed, and a unit. */
static bool parse_number(const struct setting *row, const char *text, uint64_t *value) {
    const struct unit *unit = units_of(row->kind);
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    uint64_t whole = strtoull(text, &end, 10);
    double fraction = *end == '.' && unit != no_units ? strtod(end, &end) : 0;
    while (unit->name != NULL && strcmp(unit->name, end) != 0)
        unit++;
    if (errno || unit->name == NULL || __builtin_mul_overflow(whole, unit->factor, value))
        return false;
    uint64_t more = (uint64_t)(fraction * (double)unit->factor);
    return !__builtin_add_overflow(*value, more, value) && *value >= row->min && *value <= row->max;
}

static bool parse_word(const struct setting *row, const char *text, uint32_t *value) {
    for (uint32_t i = 0; row->words[i] != NULL; i++)
        if (strcmp(row->words[i], text) == 0) {
            *value = i;
            return true;
        }
    return false;
}

static bool parse_choices(const struct setting *row, const char *text, uint32_t *value) {
    static const char choose[] = "choose";
    size_t length = sizeof choose - 1;
    uint64_t number = 0;
    if (strcmp(text, "fixed") != 0 &&
        (strncmp(text, choose, length) != 0 || (text[length] != ':' && text[length] != '=') ||
         !parse_number(row, text + length + 1, &number)))
        return false;
    *value = (uint32_t)number;
    return true;
}

static bool set_value(void *values, const struct setting *row, const char *text) {
    char *at = (char *)values + row->offset;
    uint64_t number = 0;
    switch (row->kind) {
    case SETTING_FLAG: *(bool *)at = true; return true;
    case SETTING_NUMBER:
    case SETTING_TIME:
        if (!parse_number(row, text, &number))
            return false;
        *(uint32_t *)at = (uint32_t)number;
        return true;
    case SETTING_LONG:
    case SETTING_SIZE: return parse_number(row, text, (uint64_t *)at);
    case SETTING_WORD: return parse_word(row, text, (uint32_t *)at);
    case SETTING_CHOICES: return parse_choices(row, text, (uint32_t *)at);
    case SETTING_NAME:
        if (!*text || strlen(text) > row->max)
            return false;
        strcpy(at, text);
        return true;
    case SETTING_TEXT:
    case SETTING_OPTIONAL: *(const char **)at = text; return *text || row->kind != SETTING_TEXT;
    }
    return false;
}

void settings_format(const struct settings *settings, const struct setting *row, char *text,
                     size_t size) {
    const char *at = (const char *)settings->values + row->offset;
    switch (row->kind) {
    case SETTING_FLAG: snprintf(text, size, "%s", *(const bool *)at ? "yes" : ""); break;
    case SETTING_NUMBER: snprintf(text, size, "%" PRIu32, *(const uint32_t *)at); break;
    case SETTING_TIME: snprintf(text, size, "%" PRIu32 "ms", *(const uint32_t *)at); break;
    case SETTING_LONG:
    case SETTING_SIZE: snprintf(text, size, "%" PRIu64, *(const uint64_t *)at); break;
    case SETTING_WORD: snprintf(text, size, "%s", row->words[*(const uint32_t *)at]); break;
    case SETTING_CHOICES:
        snprintf(text, size, *(const uint32_t *)at ? "choose:%" PRIu32 : "fixed",
                 *(const uint32_t *)at);
        break;
    case SETTING_NAME: snprintf(text, size, "%s", at); break;
    case SETTING_TEXT:
    case SETTING_OPTIONAL: snprintf(text, size, "%s", *(const char *const *)at); break;
    }
}

/* --- options --- */

static const struct setting *find(const struct setting *table, const char *name, size_t length) {
    for (; table->name != NULL; table++)
        if (strlen(table->name) == length && strncmp(table->name, name, length) == 0)
            return table;
    return NULL;
}

static const struct setting *find_letter(const struct setting *table, char letter) {
    while (table->name != NULL && table->letter != letter)
        table++;
    return table->name != NULL ? table : NULL;
}

static bool takes_value(const struct setting *row) {
    return row->kind != SETTING_FLAG && row->kind != SETTING_OPTIONAL;
}

static void mark_given(struct settings *settings, const struct setting *row) {
    CHECK(row - settings->table < 64); /* `given` has a bit for each row */
    settings->given |= (uint64_t)1 << (row - settings->table);
}

bool settings_given(const struct settings *settings, const char *name) {
    const struct setting *row = find(settings->table, name, strlen(name));
    return row != NULL && (settings->given >> (row - settings->table) & 1);
}

bool settings_set(struct settings *settings, const char *name, const char *value) {
    const struct setting *row = find(settings->table, name, strlen(name));
    if (row == NULL || !set_value(settings->values, row, value))
        return false;
    mark_given(settings, row);
    return true;
}

static void complain_unknown(const struct settings *settings, const char *where, const char *dashes,
                             const char *name, size_t length) {
    enum { NAMES_MAX = 63 };
    const char *names[NAMES_MAX + 1] = {0};
    char word[64];
    for (int i = 0; i < NAMES_MAX && settings->table[i].name != NULL; i++)
        names[i] = settings->table[i].name;
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    const char *nearest = say_nearest(word, names);
    if (nearest != NULL)
        say_error(0, "%sunknown option '%s%s'; did you mean '%s%s'?", where, dashes, word, dashes,
                  nearest);
    else
        say_error(0, "%sunknown option '%s%s'", where, dashes, word);
}

/* Describes the values that would have been right, for the message. */
static void expected(const struct setting *row, char *text, size_t size) {
    size_t used = 0;
    switch (row->kind) {
    case SETTING_NUMBER:
    case SETTING_LONG:
        snprintf(text, size, "a number from %" PRIu64 " to %" PRIu64, row->min, row->max);
        return;
    case SETTING_SIZE: snprintf(text, size, "a size such as 512M or 2G"); return;
    case SETTING_TIME: snprintf(text, size, "a time such as 500ms, 10s, 5m or 1h"); return;
    case SETTING_WORD:
        used = (size_t)snprintf(text, size, "one of");
        for (const char *const *word = row->words; *word != NULL && used < size; word++)
            used += (size_t)snprintf(text + used, size - used, " %s", *word);
        return;
    case SETTING_CHOICES: snprintf(text, size, "fixed or choose:N, N from 1 on,"); return;
    case SETTING_FLAG:
    case SETTING_NAME:
    case SETTING_TEXT:
    case SETTING_OPTIONAL: snprintf(text, size, "%s", row->value ? row->value : "nothing"); return;
    }
}

/* `value` is NULL if none was given. */
static bool apply(struct settings *settings, const struct setting *row, const char *where,
                  const char *dashes, const char *value) {
    char text[160];
    if (value == NULL && takes_value(row)) {
        say_error(0, "%soption '%s%s' needs a value: %s%s=%s", where, dashes, row->name, dashes,
                  row->name, row->value);
        return false;
    }
    if (value != NULL && row->kind == SETTING_FLAG) {
        say_error(0, "%soption '%s%s' takes no value", where, dashes, row->name);
        return false;
    }
    if (!set_value(settings->values, row, value ? value : "")) {
        expected(row, text, sizeof text);
        say_error(0, "%sbad value '%s' for '%s%s': %s is needed", where, value ? value : "", dashes,
                  row->name, text);
        return false;
    }
    mark_given(settings, row);
    return true;
}

/* -qv, -o FILE, -oFILE; the same as for parse_long. An option with a value must be the last of its
 * word. */
static int parse_letters(struct settings *settings, int argc, char **argv, int at) {
    for (const char *letter = argv[at] + 1; *letter; letter++) {
        const struct setting *row = find_letter(settings->table, *letter);
        if (row == NULL) {
            say_error(0, "unknown option '-%c'", *letter);
            return 0;
        }
        bool valued = takes_value(row), apart = valued && letter[1] == '\0';
        const char *value = !valued ? NULL : apart && at + 1 < argc ? argv[at + 1] : letter + 1;
        if (!apply(settings, row, "", "--", valued && *value == '\0' ? NULL : value))
            return 0;
        if (valued)
            return apart ? 2 : 1;
    }
    return 1;
}

/* Parses a long option at argv[at]. Returns how many words it took, or 0 after a message. */
static int parse_long(struct settings *settings, int argc, char **argv, int at) {
    const char *name = argv[at] + 2;
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    const struct setting *row = find(settings->table, name, length);
    int words = 1;
    if (row == NULL) {
        complain_unknown(settings, "", "--", name, length);
        return 0;
    }
    if (value == NULL && takes_value(row) && at + 1 < argc) {
        value = argv[at + 1];
        words = 2;
    }
    return apply(settings, row, "", "--", value) ? words : 0;
}

int settings_parse(struct settings *settings, int argc, char **argv) {
    int at = 1;
    while (at < argc && argv[at][0] == '-' && argv[at][1] != '\0') {
        if (strcmp(argv[at], "--") == 0)
            return at + 1;
        int words = argv[at][1] == '-' ? parse_long(settings, argc, argv, at)
                                       : parse_letters(settings, argc, argv, at);
        if (words == 0)
            return -1;
        at += words;
    }
    return at;
}

bool settings_parse_trace(struct settings *settings, int argc, char **argv, const bool *help,
                          const char **trace) {
    int at = settings_parse(settings, argc, argv);
    if (at >= 0 && at < argc) {
        *trace = argv[at];
        int rest = settings_parse(settings, argc - at, argv + at);
        at = rest < 0 ? -1 : at + rest;
    }
    if (at < 0)
        return false;
    if (*help || (*trace != NULL && at == argc))
        return true;
    say_error(0, "%s: one trace is needed: %s %s TRACE", argv[0], say_tool(), argv[0]);
    return false;
}

bool settings_parse_list(struct settings *settings, const char *variable, char *list) {
    char where[64], *rest = NULL;
    snprintf(where, sizeof where, "%s: ", variable);
    for (char *entry = strtok_r(list, ":", &rest); entry; entry = strtok_r(NULL, ":", &rest)) {
        size_t length = strcspn(entry, "=");
        const struct setting *row = find(settings->table, entry, length);
        if (row == NULL) {
            complain_unknown(settings, where, "", entry, length);
            return false;
        }
        if (!apply(settings, row, where, "", entry[length] ? entry + length + 1 : NULL))
            return false;
    }
    return true;
}

static void print_row(const struct setting *row, FILE *out) {
    char left[64];
    int used = snprintf(left, sizeof left, row->letter ? "-%c, --" : "    --", row->letter);
    snprintf(left + used, sizeof left - (size_t)used,
             row->value == NULL              ? "%s"
             : row->kind == SETTING_OPTIONAL ? "%s[=%s]"
                                             : "%s=%s",
             row->name, row->value);
    fprintf(out, "  %-28s %s\n", left, row->help);
}

void settings_help(const struct setting *table, FILE *out) {
    for (; table->name != NULL; table++)
        print_row(table, out);
}

void settings_help_groups(const struct setting *table, FILE *out) {
    static const char *const titles[SETTING_GROUPS] = {
        [GROUP_NONE] = NULL,
        [GROUP_SEARCH] = "The search",
        [GROUP_BOUNDS] = "Its bounds",
        [GROUP_WRONG] = "What counts as wrong",
        [GROUP_PROGRAM] = "The program",
        [GROUP_OUTPUT] = "Output",
    };
    for (enum setting_group group = GROUP_SEARCH; group < SETTING_GROUPS; group++) {
        fprintf(out, "%s%s:\n", group > GROUP_SEARCH ? "\n" : "", titles[group]);
        for (const struct setting *row = table; row->name != NULL; row++)
            if (row->group == group)
                print_row(row, out);
    }
}

void settings_help_common(const struct setting *table, FILE *out) {
    for (; table->name != NULL; table++)
        if (table->common)
            print_row(table, out);
}
