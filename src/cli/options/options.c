/* options.c - see options.h. The rows are in table.c. This file has the defaults, the checks of
 * options that belong together, and the options that a trace records. */
#define _GNU_SOURCE
#include "cli/options/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cli/options/bounds.h"
#include "cli/supervise/custom_explorer.h"
#include "cli/base/say.h"
#include "engine/session.h"
#include "strategies/explorers/explorers.h"
#include "strategies/strategies.h"

static const char VARIABLE[] = "HEDDLE_OPTIONS";

enum { DEFAULT_STEP_TIMEOUT_MS = 5000, DEFAULT_TASKS_MAX = 1000 };
#define DEFAULT_MEMORY ((uint64_t)1 << 30)

void options_defaults(struct run_options *options) {
    memset(options, 0, sizeof *options);
    options->engine = (struct options){
        .mode = MODE_EXPLORE,
        .strategy = "optimal",
        .races = RACES_REPORT,
        .isolate = ISOLATE_RESET,
        .seed = 1,
        .max_steps = DEFAULT_MAX_STEPS,
        .preemptions = -1,
        .delays = -1,
        .divergences = -1,
        .deepen = BOUND_NONE,
        .slice = DEFAULT_SLICE,
        .pct_steps = DEFAULT_PCT_STEPS,
        .pct_depth = DEFAULT_PCT_DEPTH,
        .step_timeout_ms = DEFAULT_STEP_TIMEOUT_MS,
        .memory_limit = DEFAULT_MEMORY,
        .tasks_max = DEFAULT_TASKS_MAX,
        .delay_step = 1,
        .depth_step = DEFAULT_DEPTH_STEP,
    };
}

bool options_exhaustive(const struct options *options) {
    const struct strategy_info *strategy = strategy_named(options->strategy);
    return strategy != NULL && strategy_has(strategy, EXHAUSTIVE);
}

void options_print_strategies(FILE *out) {
    for (const struct strategy_info *const *at = strategies; *at != NULL; at++)
        fprintf(out, "  %-16s %s\n", (*at)->name, (*at)->summary);
}

void options_print_explorers(FILE *out) {
    for (const struct heddle_explorer *const *at = explorers; *at != NULL; at++)
        fprintf(out, "  %-16s %s\n", (*at)->name, (*at)->summary);
}

static bool check_strategy(const char *name) {
    enum { NAMES_MAX = 31 };
    const char *names[NAMES_MAX + 1] = {0};
    char list[256] = "";
    uint32_t count = 0;
    for (const struct strategy_info *const *at = strategies; *at && count < NAMES_MAX; at++) {
        if (strcmp((*at)->name, name) == 0)
            return true;
        names[count++] = (*at)->name;
        snprintf(list + strlen(list), sizeof list - strlen(list), " %s", (*at)->name);
    }
    const char *nearest = say_nearest(name, names);
    if (nearest != NULL)
        say_error(0, "unknown strategy '%s'; did you mean '%s'?", name, nearest);
    else
        say_error(0, "unknown strategy '%s'; there are:%s", name, list);
    return false;
}

static bool check_has_explorer(const char *strategy) {
    char list[256] = "";
    if (strategy_has(strategy_named(strategy), HAS_EXPLORER))
        return true;
    for (const struct strategy_info *const *at = strategies; *at != NULL; at++)
        if (strategy_has(*at, HAS_EXPLORER))
            snprintf(list + strlen(list), sizeof list - strlen(list), " %s", (*at)->name);
    say_error(0, "'--explorer' needs a strategy that goes by delays:%s", list);
    return false;
}

/* Chooses the default explorer if none is given. Otherwise there must be an explorer with the given
 * name. */
static bool settle_explorer(struct options *options) {
    char list[256] = "", *name = options->explorer;
    if (!name[0] && strategy_has(strategy_named(options->strategy), HAS_EXPLORER))
        strcpy(name, DEFAULT_EXPLORER);
    if (!name[0])
        return true;
    if (!check_has_explorer(options->strategy))
        return false;
    if (custom_explorer_named(name) || explorer_named(name) != NULL)
        return true;
    for (const struct heddle_explorer *const *at = explorers; *at != NULL; at++)
        snprintf(list + strlen(list), sizeof list - strlen(list), " %s", (*at)->name);
    say_error(0, "unknown explorer '%s'; there are:%s, or a file of your own: ./mine.c", name,
              list);
    return false;
}

/* A search that remembers states does not know the ways to them. So accesses that might race become
 * operations, and a data race is a state in which two tasks stand before such accesses. */
static void settle_races(struct options *options) {
    if (!strategy_has(strategy_named(options->strategy), GOES_BY_STATES) ||
        options->races != RACES_REPORT)
        return;
    options->races = RACES_EXPLORE;
    options->races_by_states = true;
}

static bool check_show_races(const struct run_options *options) {
    if (!options->show_races ||
        strategy_has(strategy_named(options->engine.strategy), NAMES_BRANCHES))
        return true;
    char list[256] = "";
    for (const struct strategy_info *const *at = strategies; *at != NULL; at++)
        if (strategy_has(*at, NAMES_BRANCHES))
            snprintf(list + strlen(list), sizeof list - strlen(list), " %s", (*at)->name);
    say_error(0, "'--show-races' needs a strategy that goes by races:%s", list);
    return false;
}

void options_rows(struct setting *table, size_t size, const char *const *names) {
    for (size_t i = 0; names[i] != NULL; i++) {
        const struct setting *row = run_settings;
        CHECK(i + 1 < size);
        while (strcmp(row->name, names[i]) != 0)
            row++;
        table[i] = *row;
        if (strcmp(row->name, "help") == 0) { /* a command with few options has one help */
            table[i].value = NULL;
            table[i].help = "this text";
        }
    }
}

static bool check_coverage(const struct options *options) {
    if (!options->coverage || !strategy_has(strategy_named(options->strategy), GOES_BY_STATES))
        return true;
    say_error(0,
              "'--coverage' does not go with --strategy=%s, which remembers states, not the orders "
              "that led to them",
              options->strategy);
    return false;
}

void options_take_strategy(struct options *options, const char *name) {
    snprintf(options->strategy, sizeof options->strategy, "%s", name);
    options->explorer[0] = '\0';
    settle_explorer(options);
    settle_races(options);
}

bool options_go_with(const struct run_options *options, const struct strategy_info *strategy) {
    const struct options *engine = &options->engine;
    const struct strategy_info *now = strategy_named(engine->strategy);
    bool states = strategy_has(strategy, GOES_BY_STATES);
    if (options->show_races && !strategy_has(strategy, NAMES_BRANCHES))
        return false;
    if (engine->coverage && states)
        return false;
    /* The strategy could have this explorer only because it is the default. */
    if (strategy_has(now, HAS_EXPLORER) && strcmp(engine->explorer, DEFAULT_EXPLORER) != 0 &&
        !strategy_has(strategy, HAS_EXPLORER))
        return false;
    return bounds_go_with(options, strategy);
}

int options_parse_some(struct run_options *options, const struct setting *table, int argc,
                       char **argv) {
    options_defaults(options);
    struct settings listed = {.table = run_settings, .values = options};
    struct settings settings = {.table = table, .values = options};
    const char *variable = getenv(VARIABLE);
    /* The values point into the list, so it lives as long as the process. */
    char *list = strdup(variable ? variable : "");
    CHECK(list);
    if (!settings_parse_list(&listed, VARIABLE, list))
        return -1;
    int program = settings_parse(&settings, argc, argv);
    options->strategy_named =
        settings_given(&listed, "strategy") || settings_given(&settings, "strategy");
    if (program < 0 || !check_strategy(options->engine.strategy) ||
        !bounds_settle(options, options->strategy_named) || !settle_explorer(&options->engine) ||
        !check_show_races(options) || !check_coverage(&options->engine))
        return -1;
    settle_races(&options->engine);
    options->engine.max_steps_given =
        settings_given(&listed, "max-steps") || settings_given(&settings, "max-steps");
    return program;
}

/* Whether `heddle run` may go over from `optimal` to other strategies. The user has named none, and
 * has asked for nothing that only `optimal` can say or keep to. */
static bool may_leave(const struct run_options *options) {
    const struct options *engine = &options->engine;
    return !options->strategy_named && engine->mode == MODE_EXPLORE && engine->divergences < 0 &&
           strcmp(engine->strategy, optimal_strategy.name) == 0 && engine->deepen == BOUND_NONE &&
           !options->show_races && !engine->coverage;
}

int options_parse(struct run_options *options, int argc, char **argv) {
    int program = options_parse_some(options, run_settings, argc, argv);
    bool bounded = options->engine.max_executions || options->engine.timeout_ms;
    /* The supervisor knows a finding by its names, so it decides about suppression after the
     * finding. Until then the search waits, and it may have to go on. */
    options->engine.asks = options->suppressions != NULL && !options->engine.keep_going;
    options->engine.keep_going |= options->engine.asks;
    options->engine.leaves = program >= 0 && may_leave(options);
    if (program >= 0 && !options_exhaustive(&options->engine) && !bounded)
        options->engine.max_executions = DEFAULT_RANDOM_EXECUTIONS;
    return program;
}

bool options_is_set(const struct run_options *options, const struct setting *row) {
    const char *at = (const char *)options + row->offset;
    switch (row->kind) {
    case SETTING_FLAG: return *(const bool *)at;
    case SETTING_NUMBER:
    case SETTING_TIME:
        return *(const uint32_t *)at >= row->min && *(const uint32_t *)at <= row->max;
    case SETTING_LONG:
    case SETTING_SIZE: return *(const uint64_t *)at >= row->min;
    case SETTING_TEXT:
    case SETTING_OPTIONAL: return *(const char *const *)at != NULL;
    case SETTING_CHOICES:
    case SETTING_WORD: return true;
    case SETTING_NAME: return *at != '\0';
    }
    return false;
}

void options_record(const struct run_options *options, struct trace *trace) {
    const struct settings settings = {.table = run_settings, .values = (void *)options};
    for (const struct setting *row = run_settings; row->name != NULL; row++) {
        char text[LIBRARIES_TEXT];
        if (!row->repeats || !options_is_set(options, row))
            continue;
        settings_format(&settings, row, text, sizeof text);
        struct trace_option *option = TRACE_ADD(trace->options, trace->option_count);
        option->name = row->name;
        option->value = trace_copy(trace, text);
    }
}

bool options_recall(struct run_options *options, const struct trace *trace) {
    struct settings settings = {.table = run_settings, .values = options};
    options_defaults(options);
    for (uint32_t i = 0; i < trace->option_count; i++)
        if (!settings_set(&settings, trace->options[i].name, trace->options[i].value)) {
            say_error(0, "the trace has an option that this Heddle does not know: %s=%s",
                      trace->options[i].name, trace->options[i].value);
            return false;
        }
    if (strategy_named(options->engine.strategy) == NULL) {
        say_error(0, "the trace has a strategy that this Heddle does not know: %s",
                  options->engine.strategy);
        return false;
    }
    /* If races are explored, no other analysis reports them. */
    options->engine.races_by_states =
        options->engine.races == RACES_EXPLORE && finding_info(trace->finding.kind)->races;
    return true;
}
