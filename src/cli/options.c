/* options.c - see options.h. A new option is a row here and a field in struct options; the help, the
 * environment variable and the trace follow. */
#define _GNU_SOURCE
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cli/bounds.h"
#include "cli/custom_explorer.h"
#include "cli/say.h"
#include "engine/session.h"
#include "strategies/explorers/explorers.h"
#include "strategies/strategies.h"

static const char VARIABLE[] = "HEDDLE_OPTIONS";

enum { DEFAULT_STEP_TIMEOUT_MS = 5000, DEFAULT_TASKS_MAX = 1000 };
#define DEFAULT_MEMORY ((uint64_t)1 << 30)

static const char *const races_words[] = {
    [RACES_REPORT] = "report", [RACES_EXPLORE] = "explore", [RACES_IGNORE] = "ignore", NULL};
static const char *const sequences_words[] = {
    [SEQUENCES_C11] = "c11", [SEQUENCES_CXX20] = "c++20", NULL};
static const char *const volatile_words[] = {
    [VOLATILE_PLAIN] = "plain", [VOLATILE_ATOMIC] = "atomic", NULL};
static const char *const isolate_words[] = {
    [ISOLATE_RESET] = "reset", [ISOLATE_FORK] = "fork", NULL};

static const char *const checkpoints_words[] = {
    [CHECKPOINTS_ON] = "on", [CHECKPOINTS_OFF] = "off", NULL};

static const char *const halted_words[] = {
    [HALTED_DROP] = "drop", [HALTED_REPORT] = "report", NULL};
static const char *const numbers_words[] = {
    [NUMBERS_ORDER] = "order", [NUMBERS_NAMES] = "names", NULL};
static const char *const full_words[] = {
    [VISITED_STOPS] = "stop", [VISITED_REPLACES] = "replace", NULL};
static const char *const cache_words[] = {[CACHE_PROGRAM] = "program", [CACHE_PAIR] = "pair", NULL};

static const char *const minimise_words[] = {[MINIMISE_ON] = "on", [MINIMISE_OFF] = "off", NULL};

#define ENGINE(member) offsetof(struct run_options, engine.member)
#define OWN(member) offsetof(struct run_options, member)

const struct setting run_settings[] = {
    {"strategy", 0, SETTING_NAME, "NAME", "who decides: optimal (default), source, random, ...",
     ENGINE(strategy), 0, STRATEGY_NAME - 1, NULL, true},
    {"explorer", 0, SETTING_NAME, "NAME",
     "whose order delays depart from: rtc (default), ..., or ./mine.c", ENGINE(explorer), 0,
     EXPLORER_NAME - 1, NULL, false},
    {"races", 0, SETTING_WORD, "MODE", "data races: report (default), explore, ignore",
     ENGINE(races), 0, 0, races_words, true},
    {"release-sequences", 0, SETTING_WORD, "RULE",
     "data races: a store continues one, c11 (default), or ends it, c++20", ENGINE(sequences), 0, 0,
     sequences_words, true},
    {"volatile", 0, SETTING_WORD, "WORD", "data races: volatile is plain (default) or atomic",
     ENGINE(volatiles), 0, 0, volatile_words, true},
    {"isolate", 0, SETTING_WORD, "MODE", "between executions: reset memory (default) or fork",
     ENGINE(isolate), 0, 0, isolate_words, true},
    {"checkpoints", 0, SETTING_WORD, "WORD", "go back to saved states: on (default) or off",
     ENGINE(checkpoints), 0, 0, checkpoints_words, false},
    {"seed", 0, SETTING_LONG, "N", "of everything random; default 1", ENGINE(seed), 0, UINT64_MAX,
     NULL, true},
    {"random", 0, SETTING_CHOICES, "MODE", "rand() and its like: fixed (default) or choose:N",
     ENGINE(random_choices), 1, INT32_MAX, NULL, true},
    {"max-executions", 0, SETTING_LONG, "N", "stop after so many; samples: 10000",
     ENGINE(max_executions), 1, UINT64_MAX, NULL, false},
    {"max-steps", 0, SETTING_NUMBER, "N", "cut an execution after so many; default 100000",
     ENGINE(max_steps), 1, UINT32_MAX, NULL, true},
    {"preemptions", 0, SETTING_NUMBER, "N", "bound: tasks stopped although they could go on",
     ENGINE(preemptions), 0, INT32_MAX, NULL, true},
    {"delays", 0, SETTING_NUMBER, "N", "bound: tasks skipped whose turn it is", ENGINE(delays), 0,
     INT32_MAX, NULL, true},
    {"divergences", 0, SETTING_NUMBER, "N", "bound: leaving what was explored before",
     ENGINE(divergences), 0, INT32_MAX, NULL, true},
    {"deepen", 0, SETTING_OPTIONAL, "BOUND", "raise a bound from 0 on; default preemptions",
     OWN(deepen), 0, 0, NULL, false},
    {"slice", 0, SETTING_NUMBER, "N", "portfolio: steps of each in the first round; default 2000",
     ENGINE(slice), 1, INT32_MAX, NULL, false},
    {"pct-steps", 0, SETTING_NUMBER, "K", "pct: steps of an execution; default 5000",
     ENGINE(pct_steps), 1, UINT32_MAX, NULL, false},
    {"pct-depth", 0, SETTING_NUMBER, "D", "pct: one more than priority changes; default 5",
     ENGINE(pct_depth), 1, PCT_DEPTH_MAX, NULL, false},
    {"timeout", 0, SETTING_TIME, "TIME", "stop after that time: 500ms, 10s, 5m, 1h",
     ENGINE(timeout_ms), 1, UINT32_MAX, NULL, false},
    {"step-timeout", 0, SETTING_TIME, "TIME", "no operation for so long: divergence; default 5s",
     ENGINE(step_timeout_ms), 1, UINT32_MAX, NULL, true},
    {"memory", 0, SETTING_SIZE, "SIZE", "for the program, and for states; default 1G",
     ENGINE(memory_limit), 1, UINT64_MAX, NULL, true},
    {"full", 0, SETTING_WORD, "WORD", "no more memory for states: stop (default) or replace",
     ENGINE(full), 0, 0, full_words, false},
    {"cache", 0, SETTING_WORD, "WORD", "what a state is: program (default), or pair with explorer",
     ENGINE(cache), 0, 0, cache_words, true},
    {"delay-step", 0, SETTING_NUMBER, "N", "delays from a stratum to the next; default 1",
     ENGINE(delay_step), 1, INT32_MAX, NULL, true},
    {"depth-step", 0, SETTING_NUMBER, "N", "depth-bounding: steps from one to the next; default 5",
     ENGINE(depth_step), 1, INT32_MAX, NULL, true},
    {"max-tasks", 0, SETTING_NUMBER, "N", "threads that the program may have; default 1000",
     ENGINE(tasks_max), 1, SESSION_TASKS, NULL, true},
    {"shared-stacks", 0, SETTING_FLAG, NULL,
     "--races=explore: also a task's own stack; found out by itself", ENGINE(shared_stacks), 0, 0,
     NULL, true},
    {"thread-ends", 0, SETTING_FLAG, NULL,
     "the end of a thread is a step of its own; found out by itself", ENGINE(thread_ends), 0, 0,
     NULL, true},
    {"last-end", 0, SETTING_FLAG, NULL,
     "it matters which thread is the last to end; found out by itself", ENGINE(last_end), 0, 0,
     NULL, true},
    {"libraries", 0, SETTING_NAME, "PATHS",
     "what dlopen() opens, loaded before main; found out by itself", ENGINE(libraries), 0,
     LIBRARIES_TEXT - 1, NULL, true},
    {"spurious-wakeups", 0, SETTING_FLAG, NULL, "condition waits may return by themselves",
     ENGINE(spurious_wakeups), 0, 0, NULL, true},
    {"halted", 0, SETTING_WORD, "WORD", "events for halted machines: drop (default), report",
     ENGINE(halted), 0, 0, halted_words, true},
    {"machine-numbers", 0, SETTING_WORD, "WORD",
     "numbers of machines: order of creation (default), names", ENGINE(numbers), 0, 0,
     numbers_words, true},
    {"keep-going", 0, SETTING_FLAG, NULL, "collect all different findings, not only the first",
     ENGINE(keep_going), 0, 0, NULL, true},
    {"final-states", 0, SETTING_FLAG, NULL, "count the different states in which executions end",
     ENGINE(final_states), 0, 0, NULL, false},
    {"coverage", 0, SETTING_FLAG, NULL, "which pairs of operations ran in both orders",
     ENGINE(coverage), 0, 0, NULL, false},
    {"show-races", 0, SETTING_FLAG, NULL, "what made the search branch, one by one",
     OWN(show_races), 0, 0, NULL, false},
    {"minimise", 0, SETTING_WORD, "WORD", "look for smaller schedules of what is found: on, off",
     OWN(minimise), 0, 0, minimise_words, false},
    {"suppressions", 0, SETTING_TEXT, "FILE", "findings not to report, one a line",
     OWN(suppressions), 0, 0, NULL, false},
    {"graph", 0, SETTING_TEXT, "FILE", "draw the executions there: .dot, .gv or .svg", OWN(graph),
     0, 0, NULL, false},
    {"json", 0, SETTING_TEXT, "FILE", "write the result there", OWN(json), 0, 0, NULL, false},
    {"sarif", 0, SETTING_TEXT, "FILE", "write findings there as SARIF 2.1.0", OWN(sarif), 0, 0,
     NULL, false},
    {"junit", 0, SETTING_TEXT, "FILE", "write the result there as a JUnit report", OWN(junit), 0, 0,
     NULL, false},
    {"html", 0, SETTING_TEXT, "DIR", "write pages about the run and its findings there", OWN(html),
     0, 0, NULL, false},
    {"trace", 0, SETTING_TEXT, "FILE", "name of the trace; default PROGRAM.trace", OWN(trace), 0, 0,
     NULL, false},
    {"output", 0, SETTING_TEXT, "DIR", "directory for traces; default: here", OWN(output), 0, 0,
     NULL, false},
    {"corpus", 0, SETTING_TEXT, "DIR", "keep failing schedules there, and follow them first",
     OWN(corpus), 0, 0, NULL, false},
    {"quiet", 'q', SETTING_FLAG, NULL, "findings only", OWN(quiet), 0, 0, NULL, false},
    {"verbose", 'v', SETTING_FLAG, NULL, "whole schedules", OWN(verbose), 0, 0, NULL, false},
    {"help", 'h', SETTING_FLAG, NULL, "this text", OWN(help), 0, 0, NULL, false},
    {"version", 0, SETTING_FLAG, NULL, "the version", OWN(version), 0, 0, NULL, false},
    {0},
};

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
    const struct strategy_ops *strategy = strategy_named(options->strategy);
    return strategy != NULL && strategy->exhaustive;
}

/* The other two are strategies too, but not to search with. */
static bool is_search(const struct strategy_ops *strategy) {
    return strategy != &replay_strategy && strategy != &interactive_strategy;
}

void options_print_strategies(FILE *out) {
    for (const struct strategy_ops *const *at = strategies; *at != NULL; at++)
        if (is_search(*at))
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
    for (const struct strategy_ops *const *at = strategies; *at && count < NAMES_MAX; at++) {
        if (!is_search(*at))
            continue;
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
    if (strategy_named(strategy)->has_explorer)
        return true;
    for (const struct strategy_ops *const *at = strategies; *at != NULL; at++)
        if ((*at)->has_explorer)
            snprintf(list + strlen(list), sizeof list - strlen(list), " %s", (*at)->name);
    say_error(0, "'--explorer' needs a strategy that goes by delays:%s", list);
    return false;
}

/* Says which one it is where nothing was said; else there must be such a one. */
static bool settle_explorer(struct options *options) {
    char list[256] = "", *name = options->explorer;
    if (!name[0] && strategy_named(options->strategy)->has_explorer)
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

/* A search by states does not know the ways to them. So accesses that might race become operations, and a data
 * race is a state in which two tasks stand before them. */
static void settle_races(struct options *options) {
    if (!strategy_named(options->strategy)->remembers_states || options->races != RACES_REPORT)
        return;
    options->races = RACES_EXPLORE;
    options->races_by_states = true;
}

static bool check_show_races(const struct run_options *options) {
    if (!options->show_races || strategy_named(options->engine.strategy)->names_branches)
        return true;
    char list[256] = "";
    for (const struct strategy_ops *const *at = strategies; *at != NULL; at++)
        if ((*at)->names_branches)
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
    }
}

static bool check_coverage(const struct options *options) {
    if (!options->coverage || !strategy_named(options->strategy)->remembers_states)
        return true;
    say_error(0,
              "'--coverage' does not go with --strategy=%s, which remembers states, not the orders "
              "that led to them",
              options->strategy);
    return false;
}

int options_parse_some(struct run_options *options, const struct setting *table, int argc,
                       char **argv) {
    options_defaults(options);
    struct settings listed = {.table = run_settings, .values = options};
    struct settings settings = {.table = table, .values = options};
    const char *variable = getenv(VARIABLE);
    /* Values point into the list: it lives as long as the process. */
    char *list = strdup(variable ? variable : "");
    CHECK(list);
    if (!settings_parse_list(&listed, VARIABLE, list))
        return -1;
    int program = settings_parse(&settings, argc, argv);
    bool named = settings_given(&listed, "strategy") || settings_given(&settings, "strategy");
    if (program < 0 || !check_strategy(options->engine.strategy) ||
        !bounds_settle(options, named) || !settle_explorer(&options->engine) ||
        !check_show_races(options) || !check_coverage(&options->engine))
        return -1;
    settle_races(&options->engine);
    options->engine.max_steps_given =
        settings_given(&listed, "max-steps") || settings_given(&settings, "max-steps");
    return program;
}

int options_parse(struct run_options *options, int argc, char **argv) {
    int program = options_parse_some(options, run_settings, argc, argv);
    bool bounded = options->engine.max_executions || options->engine.timeout_ms;
    /* What is suppressed is known by its names, so only once it is found: the search goes on from there
     * if it is told to. */
    options->engine.asks = options->suppressions != NULL && !options->engine.keep_going;
    options->engine.keep_going |= options->engine.asks;
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
    /* Where races are explored, nothing else reports one. */
    options->engine.races_by_states =
        options->engine.races == RACES_EXPLORE && trace->finding.kind == FINDING_RACE;
    return true;
}
