/* save.c - see save.h. */
#define _GNU_SOURCE
#include "cli/sim/save.h"

#include <curses.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/supervise/origin.h"
#include "cli/base/say.h"
#include "reports/text.h"
#include "trace/file.h"

/* Returns the complete steps of the execution; borrowed. */
static struct execution completed(const struct model *model) {
    struct execution execution = *model_execution(model);
    if (!model_selects_tasks(model)) {
        uint32_t step = line_step(&model->line, model->line.at);
        execution.event_count = model_events_before(model, step);
        execution.decision_count = step;
    }
    return execution;
}

static void make_trace(const struct saver *saver, struct model *model,
                       const struct execution *execution, struct trace *trace) {
    const struct dialogue *dialogue = model->dialogue;
    uint32_t findings = *dialogue->finding_count;
    const struct collect_subject subject = {
        .execution = execution,
        .finding = findings > 0 ? &dialogue->findings[findings - 1] : NULL,
    };
    struct collect_source source = saver->source;
    source.symbols = model->names.symbols;
    collect_trace(trace, &source, &subject);
    trace->unfinished = !dialogue->over;
    if (saver->directory != NULL)
        trace->directory = trace_copy(trace, saver->directory);
    origin_mark(trace);
}

char *save_report(const struct saver *saver, struct model *model) {
    struct trace trace;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    CHECK(out);
    const struct execution execution = completed(model);
    make_trace(saver, model, &execution, &trace);
    const struct text_view view = {.columns = {.style = style_of(out)},
                                   .pid = model->session->live.process.pid};
    text_report(&trace, &view, out);
    trace_destroy(&trace);
    CHECK(fclose(out) == 0);
    return text;
}

/* --- files --- */

void save_propose(const struct saver *saver, char *path, size_t size) {
    const char *name = trace_basename(saver->source.program->path);
    snprintf(path, size, "%s.sim.trace", name);
    for (int i = 2; access(path, F_OK) == 0; i++)
        snprintf(path, size, "%s.sim.%d.trace", name, i);
}

static bool write_trace(const struct saver *saver, struct model *model,
                        const struct execution *execution, const char *path, char *error,
                        size_t size) {
    struct trace trace;
    make_trace(saver, model, execution, &trace);
    bool written = trace_write(&trace, path, error, size);
    trace_destroy(&trace);
    return written;
}

void save_file(const struct saver *saver, struct model *model, const char *path) {
    char error[PATH_MAX + 200];
    bool over = model->dialogue->over, found = *model->dialogue->finding_count > 0;
    const struct execution execution = completed(model);
    if (path[0] == '\0')
        model_say(model, "not saved: the trace needs a name");
    else if (access(path, F_OK) == 0)
        model_say(model, "not saved: %.150s is there already", path);
    else if (!write_trace(saver, model, &execution, path, error, sizeof error))
        model_say(model, "not saved: %.180s", error);
    else
        model_say(model, "saved as %.120s: %s", path,
                  found  ? "with the finding"
                  : over ? "nothing is wrong in it"
                         : "up to here");
}

/* --- gdb --- */

/* Copies an array, with room for one more element. */
static void *extend(const void *items, size_t count, size_t element) {
    void *copy = malloc((count + 1) * element);
    CHECK(copy);
    return count > 0 ? memcpy(copy, items, count * element) : copy;
}

/* gdb stops where a step is about to happen. So the next step is added: that of the task whose step
 * has begun, or of the selected task. The arrays are owned, the rest is borrowed. */
static struct execution with_step_ahead(const struct model *model) {
    struct execution execution = completed(model);
    const struct dialogue_task *next = model_task(model, model->selected);
    if (!model_selects_tasks(model))
        next = model_task(model, model->dialogue->task);
    else if (next == NULL || !next->enabled)
        next = &model->dialogue->live[model_expected(model)];
    uint32_t events = execution.event_count, decisions = execution.decision_count;
    const struct event event = {.op = next->op, .task = next->task};
    const struct decision decision = {
        .chosen = next->task, .count = 1, .tag = CHOICE_SCHEDULE, .event = events + 1};
    execution.events = extend(execution.events, events, sizeof event);
    execution.decisions = extend(execution.decisions, decisions, sizeof decision);
    execution.events[execution.event_count++] = event;
    execution.decisions[execution.decision_count++] = decision;
    return execution;
}

static _Noreturn void become_replay(const char *path, const char *gdb) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execl("/proc/self/exe", say_tool(), "replay", gdb, path, (char *)NULL);
    _exit(127);
}

/* A Ctrl-C in gdb is for gdb only. It is pending here, because the supervisor blocks the signal.
 * Ignoring the signal for a moment discards it. */
static void forget_interrupts(void) {
    signal(SIGINT, SIG_IGN);
    signal(SIGINT, SIG_DFL);
}

static bool replay_in_gdb(const char *path, const char *gdb) {
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        become_replay(path, gdb);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    forget_interrupts();
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) != 127;
}

/* gdb stops at the finding by itself. Without a finding, it stops before the last step of the
 * trace. */
static bool debug_trace(const struct model *model, const char *path, uint32_t last) {
    char gdb[64] = "--gdb";
    if (*model->dialogue->finding_count == 0 && last > 0)
        snprintf(gdb, sizeof gdb, "--gdb=-ex 'heddle goto %u'", last);
    def_prog_mode();
    endwin();
    bool ran = replay_in_gdb(path, gdb);
    reset_prog_mode();
    clearok(curscr, TRUE);
    return ran;
}

void save_debug(const struct saver *saver, struct model *model) {
    const char *directory = getenv("TMPDIR");
    char error[PATH_MAX + 200] = "", path[PATH_MAX];
    bool ahead = model_chooses(model), ran = false;
    struct execution execution = ahead ? with_step_ahead(model) : completed(model);
    snprintf(path, sizeof path, "%s/heddle-sim-XXXXXX",
             directory != NULL && *directory ? directory : "/tmp");
    int fd = mkstemp(path);
    bool written = fd >= 0 && write_trace(saver, model, &execution, path, error, sizeof error);
    if (written)
        ran = debug_trace(model, path, execution.event_count);
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    if (ahead) {
        free(execution.events);
        free(execution.decisions);
    }
    model_say(model, ran ? "back from gdb" : "gdb could not be started%s%.150s",
              error[0] ? ": " : "", error);
}
