/* table.c - the options of `heddle run`, one row each, by group.
 *
 * A new option is a row here and a field in struct options (engine/options.h) or struct
 * run_options. The help, HEDDLE_OPTIONS and the trace follow from the row. The man page
 * docs/man/heddle-run.1 needs a line of its own; tests/docs/test_documents.sh fails without. The
 * last column marks the few options that the short help shows. */
#include "cli/options/options.h"
#include "engine/session.h"

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
    /* --- search --- */
    {"strategy", 0, SETTING_NAME, "NAME",
     "how to search: optimal (default), source, random, portfolio, ...", ENGINE(strategy), 0,
     STRATEGY_NAME - 1, NULL, true, GROUP_SEARCH, true},
    {"explorer", 0, SETTING_NAME, "NAME",
     "the order that delays depart from: rtc (default), ..., or ./mine.c", ENGINE(explorer), 0,
     EXPLORER_NAME - 1, NULL, false, GROUP_SEARCH, false},
    {"deepen", 0, SETTING_OPTIONAL, "BOUND",
     "raise a bound step by step from 0; default preemptions", OWN(deepen), 0, 0, NULL, false,
     GROUP_SEARCH, false},
    {"seed", 0, SETTING_LONG, "N", "the seed of all random decisions; default 1", ENGINE(seed), 0,
     UINT64_MAX, NULL, true, GROUP_SEARCH, false},
    {"slice", 0, SETTING_NUMBER, "N",
     "portfolio: steps of each member in the first round; default 2000", ENGINE(slice), 1,
     INT32_MAX, NULL, false, GROUP_SEARCH, false},
    {"pct-steps", 0, SETTING_NUMBER, "K", "pct: expected steps of an execution; default 5000",
     ENGINE(pct_steps), 1, UINT32_MAX, NULL, false, GROUP_SEARCH, false},
    {"pct-depth", 0, SETTING_NUMBER, "D", "pct: number of priority changes plus one; default 5",
     ENGINE(pct_depth), 1, PCT_DEPTH_MAX, NULL, false, GROUP_SEARCH, false},
    {"delay-step", 0, SETTING_NUMBER, "N", "delays from one stratum to the next; default 1",
     ENGINE(delay_step), 1, INT32_MAX, NULL, true, GROUP_SEARCH, false},
    {"depth-step", 0, SETTING_NUMBER, "N",
     "depth-bounding: steps from one stratum to the next; default 5", ENGINE(depth_step), 1,
     INT32_MAX, NULL, true, GROUP_SEARCH, false},
    {"cache", 0, SETTING_WORD, "WORD",
     "a state is that of the program (default), or a pair with the explorer", ENGINE(cache), 0, 0,
     cache_words, true, GROUP_SEARCH, false},
    {"full", 0, SETTING_WORD, "WORD",
     "when the memory for states is full: stop adding (default), or replace", ENGINE(full), 0, 0,
     full_words, false, GROUP_SEARCH, false},
    {"checkpoints", 0, SETTING_WORD, "WORD",
     "return to saved states instead of running again: on (default) or off", ENGINE(checkpoints), 0,
     0, checkpoints_words, false, GROUP_SEARCH, false},
    {"corpus", 0, SETTING_TEXT, "DIR", "keep failing schedules there, and try them first next time",
     OWN(corpus), 0, 0, NULL, false, GROUP_SEARCH, true},
    {"minimise", 0, SETTING_WORD, "WORD",
     "look for smaller schedules of each finding: on (default) or off", OWN(minimise), 0, 0,
     minimise_words, false, GROUP_SEARCH, false},

    /* --- bounds --- */
    {"timeout", 0, SETTING_TIME, "TIME", "stop after this time: 500ms, 10s, 5m, 1h",
     ENGINE(timeout_ms), 1, UINT32_MAX, NULL, false, GROUP_BOUNDS, true},
    {"max-executions", 0, SETTING_LONG, "N", "stop after N executions; samplers stop after 10000",
     ENGINE(max_executions), 1, UINT64_MAX, NULL, false, GROUP_BOUNDS, false},
    {"max-steps", 0, SETTING_NUMBER, "N", "cut an execution after N steps; default 100000",
     ENGINE(max_steps), 1, UINT32_MAX, NULL, true, GROUP_BOUNDS, true},
    {"preemptions", 0, SETTING_NUMBER, "N",
     "at most N times, a task is stopped although it could go on", ENGINE(preemptions), 0,
     INT32_MAX, NULL, true, GROUP_BOUNDS, true},
    {"delays", 0, SETTING_NUMBER, "N", "at most N times, the task whose turn it is must wait",
     ENGINE(delays), 0, INT32_MAX, NULL, true, GROUP_BOUNDS, false},
    {"divergences", 0, SETTING_NUMBER, "N",
     "at most N times, an execution leaves what was explored before", ENGINE(divergences), 0,
     INT32_MAX, NULL, true, GROUP_BOUNDS, false},
    {"memory", 0, SETTING_SIZE, "SIZE", "memory for the program, and again for states; default 1G",
     ENGINE(memory_limit), 1, UINT64_MAX, NULL, true, GROUP_BOUNDS, false},
    {"max-tasks", 0, SETTING_NUMBER, "N", "threads that the program may have; default 1000",
     ENGINE(tasks_max), 1, SESSION_TASKS_MAX, NULL, true, GROUP_BOUNDS, false},

    /* --- what counts as wrong --- */
    {"races", 0, SETTING_WORD, "MODE", "data races: report (default), explore, ignore",
     ENGINE(races), 0, 0, races_words, true, GROUP_WRONG, true},
    {"release-sequences", 0, SETTING_WORD, "RULE",
     "a store continues a release sequence (c11, default) or ends it (c++20)", ENGINE(sequences), 0,
     0, sequences_words, true, GROUP_WRONG, false},
    {"volatile", 0, SETTING_WORD, "WORD", "volatile accesses count as plain (default) or atomic",
     ENGINE(volatiles), 0, 0, volatile_words, true, GROUP_WRONG, false},
    {"step-timeout", 0, SETTING_TIME, "TIME",
     "a step without an end for this long is a divergence; default 5s", ENGINE(step_timeout_ms), 1,
     UINT32_MAX, NULL, true, GROUP_WRONG, false},
    {"spurious-wakeups", 0, SETTING_FLAG, NULL, "condition waits may return without a signal",
     ENGINE(spurious_wakeups), 0, 0, NULL, true, GROUP_WRONG, false},
    {"halted", 0, SETTING_WORD, "WORD", "events sent to halted machines: drop (default) or report",
     ENGINE(halted), 0, 0, halted_words, true, GROUP_WRONG, false},
    {"keep-going", 0, SETTING_FLAG, NULL, "collect all different findings, not only the first",
     ENGINE(keep_going), 0, 0, NULL, true, GROUP_WRONG, true},
    {"suppressions", 0, SETTING_TEXT, "FILE", "findings that are not reported, one in a line",
     OWN(suppressions), 0, 0, NULL, false, GROUP_WRONG, false},

    /* --- the program --- */
    {"random", 0, SETTING_CHOICES, "MODE",
     "rand() and similar calls: fixed (default), or choose:N values", ENGINE(random_choices), 1,
     INT32_MAX, NULL, true, GROUP_PROGRAM, false},
    {"isolate", 0, SETTING_WORD, "MODE", "between executions: reset the memory (default), or fork",
     ENGINE(isolate), 0, 0, isolate_words, true, GROUP_PROGRAM, false},
    {"machine-numbers", 0, SETTING_WORD, "WORD",
     "numbers of machines: by order of creation (default), or names", ENGINE(numbers), 0, 0,
     numbers_words, true, GROUP_PROGRAM, false},
    {"shared-stacks", 0, SETTING_FLAG, NULL,
     "with --races=explore, accesses to a task's own stack count; set when needed",
     ENGINE(shared_stacks), 0, 0, NULL, true, GROUP_PROGRAM, false},
    {"thread-ends", 0, SETTING_FLAG, NULL,
     "the end of a thread is a step of its own; set when needed", ENGINE(thread_ends), 0, 0, NULL,
     true, GROUP_PROGRAM, false},
    {"last-end", 0, SETTING_FLAG, NULL,
     "the order in which the last threads end matters; set when needed", ENGINE(last_end), 0, 0,
     NULL, true, GROUP_PROGRAM, false},
    {"loops", 0, SETTING_NAME, "PLACES", "loops whose rounds only wait; set when needed",
     ENGINE(loops), 0, LOOPS_TEXT - 1, NULL, true, GROUP_PROGRAM, false},
    {"libraries", 0, SETTING_NAME, "PATHS",
     "libraries for dlopen(), loaded before main; set when needed", ENGINE(libraries), 0,
     LIBRARIES_TEXT - 1, NULL, true, GROUP_PROGRAM, false},

/* --- output --- */
#define OUTPUT(format, argument, text, often) \
    {.name = #format, \
     .kind = SETTING_TEXT, \
     .value = argument, \
     .help = text, \
     .offset = OWN(outputs[OUTPUT_##format]), \
     .group = GROUP_OUTPUT, \
     .common = often},
#include "cli/outputs/outputs.def"
    {"trace", 0, SETTING_TEXT, "FILE", "name of the trace; default PROGRAM.trace", OWN(trace), 0, 0,
     NULL, false, GROUP_OUTPUT, false},
    {"output", 0, SETTING_TEXT, "DIR", "directory for traces; default: the current one",
     OWN(output), 0, 0, NULL, false, GROUP_OUTPUT, false},
    {"coverage", 0, SETTING_FLAG, NULL, "show which pairs of operations ran in both orders",
     ENGINE(coverage), 0, 0, NULL, false, GROUP_OUTPUT, false},
    {"show-races", 0, SETTING_FLAG, NULL, "list the races that made the search branch",
     OWN(show_races), 0, 0, NULL, false, GROUP_OUTPUT, false},
    {"final-states", 0, SETTING_FLAG, NULL, "count the different states in which executions end",
     ENGINE(final_states), 0, 0, NULL, false, GROUP_OUTPUT, false},
    {"quiet", 'q', SETTING_FLAG, NULL, "print findings only", OWN(quiet), 0, 0, NULL, false,
     GROUP_OUTPUT, false},
    {"verbose", 'v', SETTING_FLAG, NULL, "print whole schedules", OWN(verbose), 0, 0, NULL, false,
     GROUP_OUTPUT, true},
    {"help", 'h', SETTING_OPTIONAL, "all", "this text; --help=all lists every option", OWN(help), 0,
     0, NULL, false, GROUP_OUTPUT, true},
    {"version", 0, SETTING_FLAG, NULL, "print the version", OWN(version), 0, 0, NULL, false,
     GROUP_OUTPUT, false},
    {0},
};
