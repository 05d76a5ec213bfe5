/* sim.c - `heddle sim [option...] PROGRAM [argument...]` and `heddle sim TRACE`.
 *
 * The supervisor stays with the program as in a run, and its tick serves the user. While the engine
 * waits for an answer (engine/dialogue.h), the tick reads keys and draws the screen, or makes the
 * moves of a run one after the other. Only the supervisor's poll waits for keys. So a program that
 * dies, or does not return from a step, is noticed whatever the user does. */
#define _GNU_SOURCE
#include "cli/sim/sim.h"

#include <curses.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/options/options.h"
#include "cli/supervise/recall.h"
#include "cli/base/say.h"
#include "cli/sim/keys.h"
#include "cli/sim/paint.h"
#include "cli/sim/screen.h"
#include "cli/supervise/supervise.h"
#include "trace/file.h"

enum {
    SLICE_MS = 60, /* the time of a run between two looks at keys and processes */
    WAIT_MS = 5,   /* how long to wait for an answer of the engine */
    BUSY_MS = 200, /* how long without an answer until the screen says so */
    ROWS_MAX = 24,
    CONTROL_C = 3,
};

struct sim {
    struct simulation simulation;
    struct run_options options;
    struct program program;
    char **arguments;
    struct session *session;
    int session_fd;
    struct trace trace;   /* the trace of `heddle sim TRACE` */
    struct recall recall; /* the program of that trace */
    struct supervision supervision;
    bool stale;           /* the screen must be drawn again */
    uint64_t answered_ms; /* when the engine last got the turn */
};

static uint64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* --- while it runs --- */

/* The engine has the turn. Keys wait, unless this takes long. */
static void stay_busy(struct sim *self) {
    uint64_t busy_ms = now_ms() - self->answered_ms;
    if (busy_ms < BUSY_MS)
        return;
    int key = getch();
    if (key == 'q' || key == CONTROL_C)
        self->simulation.quit = true;
    else if (key != ERR && self->simulation.model.running)
        model_stop(&self->simulation.model, "stopped");
    screen_draw_busy(&self->simulation.model, busy_ms);
    self->stale = true;
}

static void run_on(struct sim *self) {
    struct model *model = &self->simulation.model;
    model_run_on(model);
    self->answered_ms = now_ms();
    self->stale = true;
}

/* Handles the next key. Returns false if there is none. */
static bool take_key(struct sim *self) {
    struct simulation *simulation = &self->simulation;
    if (self->stale)
        screen_draw(&simulation->model, &simulation->view);
    self->stale = false;
    int key = getch();
    if (key == ERR)
        return false;
    keys_take(simulation, key);
    self->answered_ms = now_ms();
    self->stale = true;
    return true;
}

/* Called with the turn. Returns false if there is nothing to do now. */
static bool take_turn(struct sim *self) {
    struct simulation *simulation = &self->simulation;
    struct model *model = &simulation->model;
    self->stale = self->stale || !model->arrived;
    model_arrive(model);
    if (model->news) {
        model_stop(model, "");
        keys_show_report(simulation);
    }
    if (!model->running)
        return take_key(self);
    run_on(self);
    return true;
}

static void tick(void *context) {
    struct sim *self = context;
    struct model *model = &self->simulation.model;
    uint64_t until = now_ms() + SLICE_MS;
    bool more = !self->session->result.failure.outside && !self->session->live.stop;
    if (model->running && more && getch() != ERR)
        model_stop(model, "stopped");
    while (more && !self->simulation.quit && now_ms() < until) {
        more = model_wait(model, WAIT_MS);
        if (!more) {
            stay_busy(self);
            break;
        }
        self->session->live.heartbeat++; /* the user is thinking: the program is not at fault */
        more = take_turn(self);
    }
    self->supervision.quit = self->simulation.quit || self->session->live.stop;
}

/* --- before and after --- */

static const char *const option_names[] = {"races",
                                           "shared-stacks",
                                           "thread-ends",
                                           "last-end",
                                           "loops",
                                           "libraries",
                                           "isolate",
                                           "max-steps",
                                           "step-timeout",
                                           "memory",
                                           "max-tasks",
                                           "spurious-wakeups",
                                           "halted",
                                           "machine-numbers",
                                           "keep-going",
                                           "volatile",
                                           "release-sequences",
                                           "help",
                                           NULL};

static const struct setting *option_table(void) {
    static struct setting table[ROWS_MAX];
    static const struct setting yes = {"yes",
                                       'y',
                                       SETTING_FLAG,
                                       NULL,
                                       "run the program of a TRACE without asking",
                                       offsetof(struct run_options, yes),
                                       0,
                                       0,
                                       NULL,
                                       false,
                                       GROUP_NONE,
                                       false};
    options_rows(table + 1, ROWS_MAX - 1, option_names);
    table[0] = yes;
    return table;
}

static int print_help(void) {
    printf("Usage: %s sim [option...] PROGRAM [argument...]\n"
           "       %s sim [--yes] TRACE\n\n"
           "You choose each step, forwards and backwards, in a full-screen program. With a TRACE, "
           "its\n"
           "schedule lies ahead. ? lists the keys.\n\n",
           say_tool(), say_tool());
    settings_help(option_table(), stdout);
    return 0;
}

static bool is_trace(const char *path) {
    char head[12] = "";
    FILE *file = fopen(path, "re");
    size_t length = file != NULL ? fread(head, 1, sizeof head, file) : 0;
    if (file != NULL)
        fclose(file);
    return length == sizeof head && memcmp(head, "heddle-trace", sizeof head) == 0;
}

/* A file with such a name that is not a trace gets the error message for a trace. */
static bool is_called_trace(const char *path) {
    size_t length = strlen(path), ending = strlen(".trace");
    return length > ending && strcmp(path + length - ending, ".trace") == 0 &&
           access(path, X_OK) != 0;
}

static int open_trace(struct sim *self, const char *path) {
    char error[PATH_MAX + 200];
    if (!trace_read(&self->trace, path, error, sizeof error))
        return say_error(EXIT_USAGE, "%s", error);
    int code = recall_open(&self->recall, &self->trace, path, self->options.yes);
    if (code != 0)
        return code;
    self->options = self->recall.options;
    self->program = self->recall.program;
    self->session = self->recall.session;
    self->session_fd = self->recall.session_fd;
    self->arguments = self->recall.arguments;
    return 0;
}

static int open_program(struct sim *self, char **arguments) {
    self->arguments = arguments;
    int code = program_open(&self->program, arguments[0]);
    return code != 0 ? code : child_session(&self->session, &self->session_fd);
}

/* Traces record the options of the user. The session gets the options for the simulator. */
static void fill_session(struct sim *self, struct dialogue *dialogue) {
    struct options *options = &self->session->request.options;
    *options = self->options.engine;
    options->mode = MODE_SIMULATE;
    options->timeout_ms = 0;
    options->checkpoints = CHECKPOINTS_OFF;
    options->dialogue = dialogue;
}

static int open_all(struct sim *self, int argc, char **argv, int at) {
    struct simulation *simulation = &self->simulation;
    bool trace = is_trace(argv[at]) || is_called_trace(argv[at]);
    if (trace && (at > 1 + self->options.yes || at + 1 < argc))
        return say_error(EXIT_USAGE, "sim: a trace has its own options and arguments: %s sim TRACE",
                         say_tool());
    int code = trace ? open_trace(self, argv[at]) : open_program(self, argv + at);
    if (code != 0)
        return code;
    struct dialogue *dialogue = dialogue_create(self->session->pool);
    fill_session(self, dialogue);
    model_init(&simulation->model, self->session, dialogue);
    line_load(&simulation->model.line, self->trace.decisions, self->trace.decision_count);
    simulation->view.program = trace_basename(self->program.path);
    simulation->saver.source = (struct collect_source){.session = self->session,
                                                       .program = &self->program,
                                                       .options = &self->options,
                                                       .arguments = self->arguments};
    return 0;
}

static void simulate(struct sim *self) {
    struct child_plan plan = {
        .path = self->program.path,
        .arguments = self->arguments,
    };
    if (self->recall.session != NULL)
        plan = recall_plan(&self->recall);
    else
        plan.environment = child_environment(self->session_fd);
    self->simulation.saver.directory = plan.directory;
    self->supervision = (struct supervision){.session = self->session,
                                             .plan = &plan,
                                             .linked = self->program.linked,
                                             .tick = tick,
                                             .watches_input = true,
                                             .context = self};
    self->answered_ms = now_ms();
    self->stale = true;
    supervise(&self->supervision);
}

static int conclude(const struct sim *self) {
    const struct session *session = self->session;
    if (session->result.failure.text[0])
        return say_error(verdict_info(session->result.failure.verdict)->exit_code, "%s",
                         session->result.failure.text);
    if (session->result.search.stopped == STOPPED_BY_INTERRUPT)
        return say_error(verdict_info(VERDICT_BUDGET)->exit_code, "interrupted");
    return 0;
}

static int run(struct sim *self) {
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return say_error(EXIT_USAGE, "sim: needs a terminal to draw on");
    if (!paint_open())
        return say_error(EXIT_USAGE, "sim: cannot draw on this terminal; check TERM");
    simulate(self);
    paint_close();
    return conclude(self);
}

int sim_main(int argc, char **argv) {
    static struct sim self; /* large */
    int program = options_parse_some(&self.options, option_table(), argc, argv);
    if (program < 0)
        return EXIT_USAGE;
    if (self.options.help)
        return print_help();
    if (program >= argc)
        return say_error(EXIT_USAGE, "sim: which program? %s sim PROGRAM [argument...]",
                         say_tool());
    trace_init(&self.trace);
    int code = open_all(&self, argc, argv, program);
    if (code == 0)
        code = run(&self);
    model_destroy(&self.simulation.model);
    view_destroy(&self.simulation.view);
    trace_destroy(&self.trace);
    return code;
}
