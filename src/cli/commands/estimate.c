/* estimate.c - `heddle estimate [options] PROGRAM [argument...]`.
 *
 * The command makes some random executions. For each one it multiplies the numbers of options at
 * all choice points. The mean of these products is Knuth's estimate of the size of the unreduced
 * tree (engine/estimate.h). The expected value of the mean is the true size, but a few rare samples
 * may contribute most of it. If such a sample was drawn, the standard error is large. If none was
 * drawn yet, both the mean and the standard error are too small.
 *
 * Left out: bounds, because the options that a bound excludes are counted as well; and reductions,
 * because only the reduction itself shows which part of the tree it explores. */
#include "cli/commands/estimate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "cli/names/collect.h"
#include "cli/explain/conclude.h"
#include "cli/supervise/again.h"
#include "cli/supervise/supervise.h"
#include "cli/options/options.h"
#include "cli/supervise/program.h"
#include "cli/run/progress.h"
#include "cli/base/say.h"
#include "strategies/strategies.h"

enum { DEFAULT_SAMPLES = 1000, ROWS_MAX = 24 };

struct estimation {
    struct run_options options;
    struct program program;
    char **arguments; /* the arguments of the program */
    struct supervision supervision;
    struct session *session;
    int session_fd;
    struct progress progress;
};

/* --- before --- */

static const char *const option_names[] = {
    "max-executions",    "timeout",       "seed",        "races",     "isolate",
    "max-steps",         "step-timeout",  "memory",      "max-tasks", "quiet",
    "spurious-wakeups",  "shared-stacks", "thread-ends", "last-end",  "volatile",
    "release-sequences", "libraries",     "help",        NULL};

static const struct setting *option_table(void) {
    static struct setting table[ROWS_MAX];
    options_rows(table, ROWS_MAX, option_names);
    for (struct setting *row = table; row->name != NULL; row++) {
        if (strcmp(row->name, "max-executions") == 0)
            row->help = "number of samples; default 1000";
        if (strcmp(row->name, "quiet") == 0)
            row->help = "no progress";
    }
    return table;
}

static int print_help(void) {
    printf("Usage: %s estimate [option...] PROGRAM [argument...]\n\n"
           "Estimates from random executions how many there are without any reduction.\n\n",
           say_tool());
    settings_help(option_table(), stdout);
    return 0;
}

/* Sets what sampling needs. This overrides the strategy and the bounds in HEDDLE_OPTIONS. */
static void set_sampling(struct options *options) {
    strcpy(options->strategy, random_strategy.name);
    bound_set(options, (struct bound){BOUND_NONE, 0});
    options->deepen = BOUND_NONE;
    options->keep_going = true;
    options->sample = true;
    if (options->max_executions == 0 && options->timeout_ms == 0)
        options->max_executions = DEFAULT_SAMPLES;
}

/* --- after --- */

/* Writes the number, or its square root: in full if it has at most 15 digits, else with an exponent
 * ("1.23e+45"). */
static const char *number_text(struct large number, bool root, char text[GROUPED_SIZE]) {
    static const double DIGITS_OF_POWER = 64 * 0.30102999566398120; /* log10(2) */
    if (!(number.mantissa > 0))
        return say_grouped(0, text);
    double digits = log10(number.mantissa) + DIGITS_OF_POWER * (double)number.power;
    if (root)
        digits /= 2;
    if (digits < 15)
        return say_grouped((uint64_t)(pow(10, digits) + 0.5), text);
    double whole = floor(digits);
    snprintf(text, GROUPED_SIZE, "%.2fe+%.0f", pow(10, digits - whole), whole);
    return text;
}

static void print_number(const struct samples *samples) {
    char mean[GROUPED_SIZE], error[GROUPED_SIZE] = "unknown";
    if (samples->count > 1)
        number_text(samples_variance(samples), true, error);
    number_text(samples_mean(samples), false, mean);
    printf("heddle: about %s execution%s without any reduction (standard error %s)\n", mean,
           strcmp(mean, "1") == 0 ? "" : "s", error);
}

static void print_samples(const struct session *session) {
    char count[GROUPED_SIZE], cut[GROUPED_SIZE], tasks[COUNT_SIZE], steps[COUNT_SIZE];
    const struct counters *counters = &session->result.counters;
    printf("  samples      %s random execution%s, seed %llu; depth up to %llu, up to %s\n",
           say_grouped(session->result.scale.samples.count, count),
           session->result.scale.samples.count == 1 ? "" : "s",
           (unsigned long long)session->request.options.seed,
           (unsigned long long)counters->depth_max, say_count(counters->tasks_max, "task", tasks));
    if (counters->cut_executions)
        printf("  cut off      %s of them, after %s: the program has more executions than "
               "that\n",
               say_grouped(counters->cut_executions, cut),
               say_count(session->request.options.max_steps, "step", steps));
    if (session->result.found.count)
        printf("  findings     %u on the way; `heddle run --strategy=random --keep-going` with the "
               "same\n               options shows them\n",
               session->result.found.count);
}

static void print_meaning(void) {
    fputs("  meaning      the unreduced number, which --strategy=dfs would explore: an upper bound "
          "for\n               what the reductions (optimal, source, classic, persistent) explore, "
          "and "
          "mostly\n               far above it\n",
          stdout);
}

static int finish(struct estimation *self) {
    struct session *session = self->session;
    struct symbols *symbols =
        symbols_create(session->result.modules.list, session->result.modules.count);
    session->result.found.reported = session->result.found.count;
    struct judgement judgement = conclude(session, symbols);
    symbols_destroy(symbols);
    bool sampled = judgement.verdict == VERDICT_BOUNDED || judgement.verdict == VERDICT_UNDECIDED ||
                   judgement.verdict == VERDICT_BUDGET || judgement.verdict == VERDICT_BUG;
    if (!sampled || session->result.scale.samples.count == 0)
        return say_error(verdict_info(judgement.verdict)->exit_code, "%s", judgement.sentence);
    print_number(&session->result.scale.samples);
    print_samples(session);
    print_meaning();
    return verdict_info(judgement.verdict)->exit_code;
}

/* --- the command --- */

static void tick(void *context) {
    struct estimation *self = context;
    progress_show(&self->progress, self->session);
}

static void draw(struct estimation *self) {
    const struct child_plan plan = {
        .path = self->program.path,
        .arguments = self->arguments,
        .environment = child_environment(self->session_fd),
    };
    progress_init(&self->progress, self->options.quiet);
    self->supervision = (struct supervision){.session = self->session,
                                             .plan = &plan,
                                             .linked = self->program.linked,
                                             .tick = tick,
                                             .context = self};
    self->session->request.options = self->options.engine;
    supervise(&self->supervision);
    progress_wipe(&self->progress);
}

static int sample(struct estimation *self) {
    int code = child_session(&self->session, &self->session_fd);
    if (code != 0)
        return code;
    draw(self);
    if (!supervise_again(&self->supervision, &self->options.engine))
        return 0;
    child_session_end(self->session, self->session_fd);
    return sample(self);
}

int estimate_main(int argc, char **argv) {
    static struct estimation self; /* static, because it is large */
    int program = options_parse_some(&self.options, option_table(), argc, argv), code;
    if (program < 0)
        return EXIT_USAGE;
    if (self.options.help)
        return print_help();
    if (program >= argc)
        return say_error(EXIT_USAGE,
                         "estimate: which program? %s estimate [option...] PROGRAM [argument...]",
                         say_tool());
    set_sampling(&self.options.engine);
    self.arguments = argv + program;
    if ((code = program_open(&self.program, argv[program])) != 0 || (code = sample(&self)) != 0)
        return code;
    return finish(&self);
}
