/* recall.c - see recall.h. */
#include "cli/supervise/recall.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/supervise/origin.h"
#include "cli/base/say.h"

static int open_program(struct recall *recall) {
    const struct trace *trace = recall->trace;
    int code = program_open(&recall->program, trace->program);
    if (code == 0 && strcmp(recall->program.build_id, trace->build_id) != 0)
        code = say_error(EXIT_USAGE, "%s: made by another build of %s (build-id %.12s, now %.12s)",
                         recall->path, trace->program, trace->build_id, recall->program.build_id);
    return code;
}

/* An unknown option name, from a newer version, is an error of the input. */
static int recall_options(struct recall *recall) {
    if (!options_recall(&recall->options, recall->trace))
        return EXIT_USAGE;
    if (recall->trace->task_count > SESSION_TASKS_MAX)
        return say_error(EXIT_USAGE, "%s: has more tasks than this Heddle can handle",
                         recall->path);
    recall->options.engine.mode = MODE_REPLAY;
    recall->options.engine.isolate = ISOLATE_RESET;
    recall->options.engine.replay_stops = recall->trace->unfinished;
    return 0;
}

static void fill_session(struct recall *recall) {
    struct session *session = recall->session;
    const struct trace *trace = recall->trace;
    session->request.options = recall->options.engine;
    for (uint32_t i = 0; i < trace->task_count; i++)
        session->result.tasks.list[i] = (struct task_name){.parent = trace->tasks[i].parent,
                                                           .child = trace->tasks[i].child,
                                                           .entry = trace->tasks[i].entry,
                                                           .pc = trace->tasks[i].pc};
    session->result.tasks.count = trace->task_count;
    for (uint32_t i = 0; i < trace->decision_count; i++)
        execution_decide(&session->request.replay, trace->decisions[i]);
    for (uint32_t i = 0; i < trace->event_count; i++) {
        struct event *event = execution_add_event(&session->request.replay);
        *event = trace->events[i];
        event->stack = event->note = 0; /* these were numbers of the trace */
    }
}

static int open_session(struct recall *recall) {
    int code = child_session(&recall->session, &recall->session_fd);
    if (code != 0)
        return code;
    fill_session(recall);
    recall->arguments =
        calloc((size_t)recall->trace->argument_count + 1, sizeof *recall->arguments);
    CHECK(recall->arguments);
    for (uint32_t i = 0; i < recall->trace->argument_count; i++)
        recall->arguments[i] = (char *)recall->trace->arguments[i];
    return 0;
}

int recall_open(struct recall *recall, const struct trace *trace, const char *path, bool yes) {
    memset(recall, 0, sizeof *recall);
    recall->trace = trace;
    recall->path = path;
    recall->session_fd = -1;
    int code = open_program(recall);
    if (code == 0)
        code = recall_options(recall);
    if (code == 0)
        code = origin_consent(trace, path, yes);
    return code == 0 ? open_session(recall) : code;
}

void recall_close(struct recall *recall) {
    child_session_end(recall->session, recall->session_fd);
    free(recall->arguments);
}

struct child_plan recall_plan(const struct recall *recall) {
    const char *directory = recall->trace->directory;
    return (struct child_plan){
        .path = recall->program.path,
        .arguments = recall->arguments,
        .environment = child_environment(recall->session_fd),
        .directory = directory[0] && access(directory, X_OK) == 0 ? directory : NULL,
    };
}
