/* replay.c - `heddle replay TRACE [--gdb[=ARGUMENTS]]`.
 *
 * The decisions of the trace go into a session of their own, with the names of its tasks, so that
 * identities come out as they were; the program runs once, with its output. What must come again is
 * the finding, and before it every single event: if one differs, the first is shown. */
#define _GNU_SOURCE
#include "cli/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/child.h"
#include "cli/collect.h"
#include "cli/debugger.h"
#include "cli/options.h"
#include "cli/program.h"
#include "cli/say.h"
#include "cli/supervise.h"
#include "reports/describe.h"
#include "reports/text.h"
#include "trace/file.h"

struct replay_options {
    const char *gdb; /* NULL: without */
    bool quiet, verbose, help;
};

#define OWN(member) offsetof(struct replay_options, member)

static const struct setting replay_settings[] = {
    {"gdb", 0, SETTING_OPTIONAL, "ARGUMENTS", "in gdb, up to the finding; ARGUMENTS go to gdb",
     OWN(gdb), 0, 0, NULL, false},
    {"quiet", 'q', SETTING_FLAG, NULL, "the program's output only", OWN(quiet), 0, 0, NULL, false},
    {"verbose", 'v', SETTING_FLAG, NULL, "the whole schedule", OWN(verbose), 0, 0, NULL, false},
    {"help", 'h', SETTING_FLAG, NULL, "this text", OWN(help), 0, 0, NULL, false},
    {0},
};

struct replay {
    struct replay_options options;
    const char *path; /* of the trace */
    struct trace trace;
    struct program program;
    struct run_options run_options;
    struct session *session;
    int session_fd;
    char **arguments;
};

/* --- before --- */

static int open_program(struct replay *self) {
    const struct trace *trace = &self->trace;
    int code = program_open(&self->program, trace->program);
    if (code == 0 && strcmp(self->program.build_id, trace->build_id) != 0)
        code = say_error(EXIT_USAGE, "%s: made by another build of %s (build-id %.12s, now %.12s)",
                         self->path, trace->program, trace->build_id, self->program.build_id);
    return code;
}

/* Option names of a version that knows more are an error of the input. */
static int recall_options(struct replay *self) {
    if (!options_recall(&self->run_options, &self->trace))
        return EXIT_USAGE;
    if (self->trace.task_count > SESSION_TASKS)
        return say_error(EXIT_USAGE, "%s: has more tasks than this Heddle can handle", self->path);
    self->run_options.engine.mode = MODE_REPLAY;
    self->run_options.engine.isolate = ISOLATE_RESET;
    self->run_options.engine.stop_at_finding = self->options.gdb != NULL;
    return 0;
}

static void fill_session(struct replay *self) {
    struct session *session = self->session;
    const struct trace *trace = &self->trace;
    session->options = self->run_options.engine;
    for (uint32_t i = 0; i < trace->task_count; i++)
        session->tasks[i] = (struct task_name){.parent = trace->tasks[i].parent,
                                               .child = trace->tasks[i].child,
                                               .entry = trace->tasks[i].entry,
                                               .pc = trace->tasks[i].pc};
    session->task_count = trace->task_count;
    for (uint32_t i = 0; i < trace->decision_count; i++)
        execution_decide(&session->replay, trace->decisions[i]);
    for (uint32_t i = 0; i < trace->event_count; i++) {
        struct event *event = execution_add_event(&session->replay);
        *event = trace->events[i];
        event->stack = event->note = 0; /* those were numbers in the trace */
    }
}

static int open_session(struct replay *self) {
    int code = child_session(&self->session, &self->session_fd);
    if (code != 0)
        return code;
    fill_session(self);
    self->arguments = calloc((size_t)self->trace.argument_count + 1, sizeof *self->arguments);
    CHECK(self->arguments);
    for (uint32_t i = 0; i < self->trace.argument_count; i++)
        self->arguments[i] = (char *)self->trace.arguments[i];
    return 0;
}

/* --- after --- */

static bool same_place(struct symbols *symbols, uint64_t a, uint64_t b) {
    char x[PLACE_SIZE], y[PLACE_SIZE];
    return a == b || strcmp(collect_place(symbols, a, x), collect_place(symbols, b, y)) == 0;
}

/* By source lines, not by addresses: which instruction of a line overflows the stack first may depend
 * on how the process was started. */
static bool same_finding(struct symbols *symbols, const struct finding *a,
                         const struct finding *b) {
    bool same = a->kind == b->kind && a->task == b->task;
    if (a->place_varies || b->place_varies)
        return same;
    same = same && a->stack_count == b->stack_count && a->wait_count == b->wait_count;
    for (uint32_t i = 0; same && i < a->stack_count; i++)
        same = same_place(symbols, a->stacks[i].pc, b->stacks[i].pc);
    for (uint32_t i = 0; same && i < a->wait_count; i++)
        same = same_place(symbols, a->waits[i].op.pc, b->waits[i].op.pc);
    return same;
}

static bool came_again(struct replay *self, struct symbols *symbols) {
    const struct session_finding *found = self->session->findings;
    while (found != NULL && !same_finding(symbols, &found->finding, &self->trace.finding))
        found = found->next;
    return found != NULL;
}

static void print_event(const struct trace *trace, const char *what, uint32_t at,
                        const struct event *event, const char *place) {
    fprintf(stderr, "  %s", what);
    if (event == NULL) {
        fputs("nothing: the execution had ended\n", stderr);
        return;
    }
    fprintf(stderr, "step %" PRIu32 ", ", at + 1);
    describe_task(trace, event->task, stderr);
    fputs(": ", stderr);
    describe_event(trace, event, stderr);
    fprintf(stderr, "%s%s\n", place[0] ? ", " : "", place);
}

/* The first event that differs, as it was and as it is. */
static void print_difference(struct replay *self, struct symbols *symbols) {
    const struct session *session = self->session;
    const struct execution *now = session->current;
    int64_t at = now ? execution_difference(&session->replay, now) : -1;
    if (at < 0)
        return;
    char place[PLACE_SIZE] = "";
    uint32_t step = (uint32_t)at;
    const struct event *was =
        step < session->replay.event_count ? &session->replay.events[at] : NULL;
    const struct event *is = step < now->event_count ? &now->events[at] : NULL;
    print_event(&self->trace, "recorded: ", step, was,
                was ? collect_place(symbols, was->op.pc, place) : "");
    /* A note's text is in the execution, not in the trace. */
    struct event shown = is ? *is : (struct event){0};
    shown.note = 0;
    print_event(&self->trace, "now:      ", step, is ? &shown : NULL,
                is ? collect_place(symbols, is->op.pc, place) : "");
}

/* Other than the one in the trace. */
static void print_findings(const struct replay *self, struct symbols *symbols) {
    for (const struct session_finding *at = self->session->findings; at != NULL; at = at->next) {
        const struct finding *finding = &at->finding;
        char place[PLACE_SIZE] = "";
        if (finding->stack_count)
            collect_place(symbols, finding->stacks[0].pc, place);
        fprintf(stderr, "  now:      %s: %s%s%s\n", finding_info(finding->kind)->title,
                finding->text, place[0] ? ", " : "", place);
    }
}

static int print_report(struct replay *self) {
    const struct text_view view = {.columns = {.style = style_of(stdout),
                                               .all = self->options.verbose,
                                               .source = self->options.verbose},
                                   .pid = self->session->pid};
    if (!self->options.quiet) {
        text_report(&self->trace, &view, stdout);
        text_summary(&self->trace, stdout);
    }
    return verdict_info(VERDICT_BUG)->exit_code;
}

static int conclude_badly(struct replay *self, const struct supervision *supervision,
                          struct symbols *symbols) {
    const struct session *session = self->session;
    if (supervision->end == END_INTERRUPTED)
        return say_error(verdict_info(VERDICT_BUDGET)->exit_code, "interrupted");
    if (session->error[0] || supervision->end == END_FAILED) {
        enum verdict verdict = session->error[0] ? session->error_verdict : supervision->verdict;
        return say_error(verdict_info(verdict)->exit_code, "%s",
                         session->error[0] ? session->error : supervision->error);
    }
    say_error(0, "the replay differed from the trace: %s",
              session->difference[0] ? session->difference : "the finding did not come again");
    print_difference(self, symbols);
    print_findings(self, symbols);
    return EXIT_DIFFERS;
}

static int conclude(struct replay *self, const struct supervision *supervision) {
    const struct session *session = self->session;
    struct symbols *symbols = symbols_create(session->modules, session->module_count);
    bool again = !session->difference[0] && came_again(self, symbols);
    int code = again ? print_report(self) : conclude_badly(self, supervision, symbols);
    symbols_destroy(symbols);
    return code;
}

/* --- the command --- */

static void tick(void *context) {
    (void)context;
}

static int replay(struct replay *self) {
    const char *directory = self->trace.directory;
    const struct child_plan plan = {
        .path = self->program.path,
        .arguments = self->arguments,
        .environment = child_environment(self->session_fd),
        .directory = directory[0] && access(directory, X_OK) == 0 ? directory : NULL,
        .output = true,
    };
    if (self->options.gdb != NULL)
        return debugger_run(&plan, self->session_fd, self->options.gdb);
    struct supervision supervision = {
        .session = self->session, .plan = &plan, .linked = self->program.linked, .tick = tick};
    supervise(&supervision);
    return conclude(self, &supervision);
}

static int print_help(void) {
    printf(
        "Usage: %s replay [option...] TRACE\n\nRepeats the execution in a trace, with the "
        "program's output.\nExit code 1: the same finding came again; 4: something differed.\n\n",
        say_tool());
    settings_help(replay_settings, stdout);
    return 0;
}

/* Options may stand on either side of the trace. */
static int parse(struct replay *self, int argc, char **argv) {
    struct settings settings = {.table = replay_settings, .values = &self->options};
    int at = settings_parse(&settings, argc, argv);
    if (at < 0)
        return EXIT_USAGE;
    if (at < argc) {
        self->path = argv[at];
        int rest = settings_parse(&settings, argc - at, argv + at);
        if (rest < 0)
            return EXIT_USAGE;
        at += rest;
    }
    if (!self->options.help && (self->path == NULL || at != argc))
        return say_error(EXIT_USAGE, "replay: one trace is needed: %s replay TRACE", say_tool());
    return 0;
}

int replay_main(int argc, char **argv) {
    static struct replay self; /* large */
    char error[PATH_MAX + 200];
    int code = parse(&self, argc, argv);
    if (code != 0)
        return code;
    if (self.options.help)
        return print_help();
    if (!trace_read(&self.trace, self.path, error, sizeof error))
        code = say_error(EXIT_USAGE, "%s", error);
    else if ((code = open_program(&self)) == 0 && (code = recall_options(&self)) == 0 &&
             (code = open_session(&self)) == 0)
        code = replay(&self);
    trace_destroy(&self.trace);
    free(self.arguments);
    return code;
}
