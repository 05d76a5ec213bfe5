/* replay.c - `heddle replay TRACE [--gdb[=ARGUMENTS]]`.
 *
 * The decisions of the trace are put into a new session, with the names of its tasks, so that all
 * identities are the same. The program runs once, with its output. The finding must come again, and
 * before it every single event. If an event differs, the first such event is shown. */
#define _GNU_SOURCE
#include "cli/replay/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/names/collect.h"
#include "cli/replay/debugger.h"
#include "cli/supervise/recall.h"
#include "cli/base/say.h"
#include "cli/supervise/supervise.h"
#include "reports/describe.h"
#include "reports/text.h"
#include "trace/file.h"

struct replay_options {
    const char *gdb; /* arguments for gdb, or NULL without gdb */
    bool passing, yes, quiet, verbose, help;
};

#define OWN(member) offsetof(struct replay_options, member)

static const struct setting replay_settings[] = {
    {"gdb", 0, SETTING_OPTIONAL, "ARGUMENTS",
     "replay in gdb, up to the finding; ARGUMENTS go to gdb", OWN(gdb), 0, 0, NULL, false,
     GROUP_NONE, false},
    {"passing", 0, SETTING_FLAG, NULL, "replay the passing schedule, if the trace has one",
     OWN(passing), 0, 0, NULL, false, GROUP_NONE, false},
    {"yes", 'y', SETTING_FLAG, NULL, "run the program of the trace without asking", OWN(yes), 0, 0,
     NULL, false, GROUP_NONE, false},
    {"quiet", 'q', SETTING_FLAG, NULL, "print only the program's output", OWN(quiet), 0, 0, NULL,
     false, GROUP_NONE, false},
    {"verbose", 'v', SETTING_FLAG, NULL, "print the whole schedule", OWN(verbose), 0, 0, NULL,
     false, GROUP_NONE, false},
    {"help", 'h', SETTING_FLAG, NULL, "this text", OWN(help), 0, 0, NULL, false, GROUP_NONE, false},
    {0},
};

struct replay {
    struct replay_options options;
    const char *path;   /* the path of the trace */
    struct trace file;  /* the trace as it was read */
    struct trace trace; /* the part of `file` that is replayed */
    struct recall recall;
};

/* --- after --- */

static bool same_place(struct symbols *symbols, uint64_t a, uint64_t b) {
    char x[PLACE_SIZE], y[PLACE_SIZE];
    return a == b || strcmp(collect_place(symbols, a, x), collect_place(symbols, b, y)) == 0;
}

/* Compares source lines, not addresses: the start of the process may decide which instruction of a
 * line overflows the stack first. */
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
    const struct session_finding *found = self->recall.session->result.found.first;
    if (!trace_fails(&self->trace))
        return found == NULL;
    while (found != NULL && !same_finding(symbols, &found->finding, &self->trace.finding))
        found = found->next;
    return found != NULL;
}

static void print_event(const struct trace *trace, const char *what, uint32_t at,
                        const struct event *event, const char *place) {
    fprintf(stderr, "  %s", what);
    if (event == NULL) {
        fputs("nothing, because the execution had ended\n", stderr);
        return;
    }
    fprintf(stderr, "step %" PRIu32 ", ", at + 1);
    describe_task(trace, event->task, stderr);
    fputs(": ", stderr);
    describe_event(trace, event, stderr);
    fprintf(stderr, "%s%s\n", place[0] ? ", " : "", place);
}

/* Prints the first event that differs, as it was and as it is. */
static void print_difference(struct replay *self, struct symbols *symbols) {
    const struct session *session = self->recall.session;
    const struct execution *now = session->live.current;
    int64_t at = now ? execution_difference(&session->request.replay, now) : -1;
    if (at < 0)
        return;
    char place[PLACE_SIZE] = "";
    uint32_t step = (uint32_t)at;
    const struct event *was =
        step < session->request.replay.event_count ? &session->request.replay.events[at] : NULL;
    const struct event *is = step < now->event_count ? &now->events[at] : NULL;
    print_event(&self->trace, "recorded: ", step, was,
                was ? collect_place(symbols, was->op.pc, place) : "");
    /* The text of a note is in the execution, not in the trace. */
    struct event shown = is ? *is : (struct event){0};
    shown.note = 0;
    print_event(&self->trace, "now:      ", step, is ? &shown : NULL,
                is ? collect_place(symbols, is->op.pc, place) : "");
}

/* Prints the findings other than the one in the trace. */
static void print_findings(const struct replay *self, struct symbols *symbols) {
    for (const struct session_finding *at = self->recall.session->result.found.first; at != NULL;
         at = at->next) {
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
                                   .pid = self->recall.session->live.process.pid};
    if (!self->options.quiet) {
        text_report(&self->trace, &view, stdout);
        text_summary(&self->trace, stdout);
    }
    return trace_fails(&self->trace) ? verdict_info(VERDICT_BUG)->exit_code : 0;
}

static int conclude_badly(struct replay *self, struct symbols *symbols) {
    const struct session *session = self->recall.session;
    if (session->result.search.stopped == STOPPED_BY_INTERRUPT)
        return say_error(verdict_info(VERDICT_BUDGET)->exit_code, "interrupted");
    if (session->result.failure.text[0])
        return say_error(verdict_info(session->result.failure.verdict)->exit_code, "%s",
                         session->result.failure.text);
    say_error(0, "the replay differed from the trace: %s",
              session->result.difference.text[0] ? session->result.difference.text
              : trace_fails(&self->trace)        ? "the finding did not come again"
                                          : "there is a finding that the trace does not have");
    print_difference(self, symbols);
    print_findings(self, symbols);
    return EXIT_DIFFERS;
}

static int conclude(struct replay *self) {
    const struct session *session = self->recall.session;
    struct symbols *symbols =
        symbols_create(session->result.modules.list, session->result.modules.count);
    bool again = !session->result.difference.text[0] && came_again(self, symbols);
    int code = again ? print_report(self) : conclude_badly(self, symbols);
    symbols_destroy(symbols);
    return code;
}

/* --- the command --- */

static void tick(void *context) {
    (void)context;
}

static int replay(struct replay *self) {
    struct recall *recall = &self->recall;
    struct child_plan plan = recall_plan(recall);
    plan.output = true;
    recall->session->request.options.debugged = self->options.gdb != NULL;
    if (self->options.gdb != NULL)
        return debugger_run(&plan, recall->session_fd, &self->trace, self->options.gdb);
    struct supervision supervision = {
        .session = recall->session, .plan = &plan, .linked = recall->program.linked, .tick = tick};
    supervise(&supervision);
    return conclude(self);
}

static int print_help(void) {
    printf("Usage: %s replay [option...] TRACE\n\nRepeats the execution in a trace, with the "
           "program's output.\nExit code 1: the same finding came again; 0: all came again, and "
           "nothing is wrong; 4: something differed.\n\n",
           say_tool());
    settings_help(replay_settings, stdout);
    return 0;
}

/* Opens the execution that is replayed: that of the trace, or the passing one. */
static int open_trace(struct replay *self) {
    char error[PATH_MAX + 200];
    if (!trace_read(&self->file, self->path, error, sizeof error))
        return say_error(EXIT_USAGE, "%s", error);
    self->trace = self->file;
    if (self->options.passing && !trace_passing(&self->file, &self->trace))
        return say_error(EXIT_USAGE, "%s: has no passing schedule; see heddle min", self->path);
    return 0;
}

int replay_main(int argc, char **argv) {
    static struct replay self; /* large */
    struct settings settings = {.table = replay_settings, .values = &self.options};
    if (!settings_parse_trace(&settings, argc, argv, &self.options.help, &self.path))
        return EXIT_USAGE;
    if (self.options.help)
        return print_help();
    int code = open_trace(&self);
    if (code == 0) {
        code = recall_open(&self.recall, &self.trace, self.path, self.options.yes);
        if (code == 0)
            code = replay(&self);
        recall_close(&self.recall);
    }
    trace_destroy(&self.file);
    return code;
}
