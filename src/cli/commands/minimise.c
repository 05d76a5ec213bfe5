/* minimise.c - `heddle min [-o OUT] TRACE`: a smaller schedule with the same bug.
 *
 * The program runs on a session in MODE_MINIMISE (strategies/minimise/), which knows the execution
 * and the finding of the trace. The result replaces the trace: the smallest execution that was
 * found, the nearest execution that passes, and what is known of both. If anything goes wrong, the
 * old file stays. */
#define _GNU_SOURCE
#include "cli/commands/minimise.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/names/collect.h"
#include "cli/supervise/origin.h"
#include "cli/supervise/recall.h"
#include "cli/base/say.h"
#include "cli/supervise/sound.h"
#include "cli/supervise/supervise.h"
#include "cli/supervise/wrote.h"
#include "reports/text.h"
#include "trace/file.h"

enum { DEFAULT_TIMEOUT_MS = 60000, DEFAULT_EXECUTIONS = 100000 };

struct minimise_options {
    uint32_t timeout_ms;
    uint64_t max_executions;
    const char *output;
    bool yes, quiet, verbose, help;
};

#define OWN(member) offsetof(struct minimise_options, member)

static const struct setting minimise_settings[] = {
    {"output", 'o', SETTING_TEXT, "OUT", "where to write the result; default: replace TRACE",
     OWN(output), 0, 0, NULL, false, GROUP_NONE, false},
    {"timeout", 0, SETTING_TIME, "TIME", "stop after that time; default 60s", OWN(timeout_ms), 1,
     UINT32_MAX, NULL, false, GROUP_NONE, false},
    {"max-executions", 0, SETTING_LONG, "N", "stop after N executions; default 100000",
     OWN(max_executions), 1, UINT64_MAX / MINIMISED_ALL_TIME, NULL, false, GROUP_NONE, false},
    {"yes", 'y', SETTING_FLAG, NULL, "run the program of the trace without asking", OWN(yes), 0, 0,
     NULL, false, GROUP_NONE, false},
    {"quiet", 'q', SETTING_FLAG, NULL, "no report", OWN(quiet), 0, 0, NULL, false, GROUP_NONE,
     false},
    {"verbose", 'v', SETTING_FLAG, NULL, "print whole schedules", OWN(verbose), 0, 0, NULL, false,
     GROUP_NONE, false},
    {"help", 'h', SETTING_FLAG, NULL, "this text", OWN(help), 0, 0, NULL, false, GROUP_NONE, false},
    {0},
};

struct minimise_command {
    struct minimise_options options;
    const char *path; /* the path of the trace */
    struct trace trace;
    struct recall recall;
    struct run_options recorded; /* the options in the trace, unchanged */
    uint64_t started_ms;         /* the time at the start of main, on the supervisor's clock */
};

static uint64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

bool minimise_is_possible(const struct trace *trace) {
    return trace->finding.kind != FINDING_DIVERGENCE;
}

/* --- before --- */

/* Fills the session with the options on which the execution depends, and with the request. */
static void prepare(struct minimise_command *self) {
    struct session *session = self->recall.session;
    struct options *options = &session->request.options;
    options->mode = MODE_MINIMISE;
    options->isolate = self->recorded.engine.isolate;
    options->replay = &session->request.replay;
    options->timeout_ms = self->options.timeout_ms;
    options->max_executions = self->options.max_executions;
    session->result.minimised.target = self->trace.finding;
}

/* --- after --- */

/* Joins the facts about the old and the new schedule. If both have the same number of switches, the
 * stronger statement about smallness is kept. */
static struct evidence join_facts(const struct evidence *before, const struct evidence *now) {
    struct evidence facts = *now;
    if (before->smallness == SMALLNESS_UNKNOWN)
        return facts;
    facts.found_switches = before->found_switches;
    if (before->switches == now->switches && before->smallness > now->smallness)
        facts.smallness = before->smallness;
    return facts;
}

/* Makes the new trace. */
static void collect(struct minimise_command *self, struct trace *smaller) {
    const struct session *session = self->recall.session;
    const struct minimised *minimised = &session->result.minimised;
    const struct collect_source source = {
        .session = session,
        .symbols = symbols_create(session->result.modules.list, session->result.modules.count),
        .program = &self->recall.program,
        .options = &self->recorded,
        .arguments = self->recall.arguments};
    const struct collect_subject subject = {
        .execution = &minimised->smallest,
        .finding = &minimised->finding,
        .passing = minimised->has_passing ? &minimised->passing : NULL,
        .at_execution = self->trace.at_execution,
    };
    collect_trace(smaller, &source, &subject);
    symbols_destroy(source.symbols);
    smaller->directory = trace_copy(smaller, self->trace.directory);
    origin_mark(smaller);
    smaller->evidence = join_facts(&self->trace.evidence, &minimised->facts);
}

static void print_report(const struct minimise_command *self, const struct trace *trace) {
    const struct text_view view = {.columns = {.style = style_of(stdout),
                                               .all = self->options.verbose,
                                               .source = self->options.verbose},
                                   .pid = self->recall.session->live.process.pid};
    text_report(trace, &view, stdout);
    text_summary(trace, stdout);
}

static const char *output_of(const struct minimise_command *self) {
    return self->options.output != NULL ? self->options.output : self->path;
}

/* Returns the time that is left of --timeout, within bounds. */
static uint32_t time_for_output(const struct minimise_command *self) {
    uint64_t spent = now_ms() - self->started_ms, limit = self->options.timeout_ms;
    uint64_t left = limit > spent ? limit - spent : 0;
    return left > WROTE_MS ? WROTE_MS : left > WROTE_LEAST_MS ? (uint32_t)left : WROTE_LEAST_MS;
}

static int write_smaller(struct minimise_command *self) {
    char error[PATH_MAX + 200];
    struct trace smaller;
    collect(self, &smaller);
    bool written = trace_write(&smaller, output_of(self), error, sizeof error);
    if (written)
        wrote_capture(&smaller, output_of(self), time_for_output(self));
    if (written && !self->options.quiet)
        print_report(self, &smaller);
    trace_destroy(&smaller);
    return written ? 0 : say_error(EXIT_USAGE, "%s", error);
}

static int conclude(struct minimise_command *self) {
    const struct session *session = self->recall.session;
    if (session->result.difference.text[0])
        return say_error(EXIT_DIFFERS, "%s: not minimised: %s", self->path,
                         session->result.difference.text);
    if (sound_minimised(session))
        return write_smaller(self);
    if (session->result.failure.text[0])
        return say_error(verdict_info(session->result.failure.verdict)->exit_code,
                         "%s: not minimised: %s", self->path, session->result.failure.text);
    bool interrupted = session->result.search.stopped == STOPPED_BY_INTERRUPT;
    return say_error(verdict_info(VERDICT_BUDGET)->exit_code,
                     "%s: not minimised: %s before anything was known", self->path,
                     interrupted ? "interrupted" : "the time was over");
}

/* --- the command --- */

/* Called by the supervisor: tells the search how much of --timeout is over. */
static void tick(void *context) {
    struct minimise_command *self = context;
    if (self->recall.session->live.phase == PHASE_STARTING)
        self->started_ms = now_ms();
    uint64_t part = (now_ms() - self->started_ms) * MINIMISED_ALL_TIME / self->options.timeout_ms;
    self->recall.session->result.minimised.time =
        part < MINIMISED_ALL_TIME ? (uint32_t)part : MINIMISED_ALL_TIME;
}

static int minimise(struct minimise_command *self) {
    struct recall *recall = &self->recall;
    const struct child_plan plan = recall_plan(recall);
    struct supervision supervision = {.session = recall->session,
                                      .plan = &plan,
                                      .linked = recall->program.linked,
                                      .from_main = true,
                                      .tick = tick,
                                      .context = self};
    prepare(self);
    self->started_ms = now_ms();
    supervise(&supervision);
    return conclude(self);
}

/* Copies the trace unchanged to its destination. */
static int leave_as_it_is(struct minimise_command *self) {
    char error[PATH_MAX + 200];
    if (self->options.output != NULL &&
        !trace_write(&self->trace, self->options.output, error, sizeof error))
        return say_error(EXIT_INTERNAL, "%s", error);
    say_error(0, "%s: left as it is: each try would take as long as --step-timeout", self->path);
    return 0;
}

static int print_help(void) {
    printf("Usage: %s min [option...] TRACE\n\nLooks for a smaller schedule with the same bug, for "
           "the step after which no execution was\nfound that passes, and for the nearest schedule "
           "that passes, and writes what it found.\n\n",
           say_tool());
    settings_help(minimise_settings, stdout);
    return 0;
}

static int open_trace(struct minimise_command *self) {
    char error[PATH_MAX + 200];
    if (!trace_read(&self->trace, self->path, error, sizeof error))
        return say_error(EXIT_USAGE, "%s", error);
    if (!trace_fails(&self->trace))
        return say_error(EXIT_USAGE, "%s: nothing is wrong in this execution", self->path);
    return 0;
}

static int run_command(struct minimise_command *self) {
    int code = open_trace(self);
    if (code != 0)
        return code;
    if (!minimise_is_possible(&self->trace))
        return leave_as_it_is(self);
    code = recall_open(&self->recall, &self->trace, self->path, self->options.yes);
    if (code == 0 && !options_recall(&self->recorded, &self->trace))
        code = EXIT_USAGE;
    if (code == 0)
        code = minimise(self);
    recall_close(&self->recall);
    return code;
}

int minimise_main(int argc, char **argv) {
    static struct minimise_command self = {
        .options = {.timeout_ms = DEFAULT_TIMEOUT_MS, .max_executions = DEFAULT_EXECUTIONS}};
    struct settings settings = {.table = minimise_settings, .values = &self.options};
    if (!settings_parse_trace(&settings, argc, argv, &self.options.help, &self.path))
        return EXIT_USAGE;
    if (self.options.help)
        return print_help();
    int code = run_command(&self);
    trace_destroy(&self.trace);
    return code;
}
