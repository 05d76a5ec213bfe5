/* page_data.c - the data of a trace's page, as JSON. There are many events, so members that are
 * false, empty or absent are left out of them. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "reports/evidence.h"
#include "reports/frame.h"
#include "reports/json_text.h"
#include "reports/page.h"
#include "reports/page_schedule.h"
#include "reports/wrap.h"
#include "trace/identity.h"
#include "execution/waits.h"

static json_t *task_value(uint32_t task) {
    return task == NO_TASK ? json_null() : json_integer(task);
}

/* --- the tables --- */

/* Adds a short form to a name that is too long to read. The frame has the whole name as well. */
static void put_short_name(json_t *frame, const char *name) {
    enum { LONG = 60 };
    struct wrap_draft draft;
    if (strlen(name) <= LONG)
        return;
    frame_put_short_name(name, wrap_draft(&draft));
    const char *text = wrap_drafted(&draft);
    if (strcmp(text, name) != 0)
        json_put_text(frame, "short", text);
    free(draft.text);
}

static json_t *frames_value(const struct trace *trace) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < trace->frame_count; i++) {
        const struct trace_frame *frame = &trace->frames[i];
        json_t *entry = json_object();
        json_put_text(entry, "function", frame->function);
        put_short_name(entry, frame->function);
        json_put_text(entry, "file", frame->file);
        json_put_count(entry, "line", frame->line);
        json_put_text(entry, "module", frame->module);
        json_put_text(entry, "source", frame->source);
        json_put(entry, "own", json_boolean(trace_own_code(frame)));
        json_push(list, entry);
    }
    return list;
}

static json_t *stacks_value(const struct trace *trace) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < trace->stack_count; i++) {
        json_t *frames = json_array();
        for (uint32_t j = 0; j < trace->stacks[i].count; j++)
            json_push(frames, json_integer(trace->links[trace->stacks[i].first + j]));
        json_push(list, frames);
    }
    return list;
}

static json_t *tasks_value(const struct trace *trace) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < trace->task_count; i++) {
        json_t *entry = json_object();
        json_put_text(entry, "function", trace->tasks[i].function);
        json_put(entry, "parent", task_value(trace->tasks[i].parent));
        json_put_count(entry, "stack", trace->tasks[i].stack);
        json_push(list, entry);
    }
    return list;
}

/* {"file": {"line": "text"}} */
static json_t *lines_value(const struct trace *trace) {
    json_t *files = json_object(), *file = NULL;
    for (uint32_t i = 0; i < trace->line_count; i++) {
        const struct trace_line *line = &trace->lines[i];
        char number[16];
        if (i == 0 || strcmp(line->file, trace->lines[i - 1].file) != 0) {
            json_t *name = json_text(line->file);
            file = json_object();
            json_put(files, json_string_value(name), file);
            json_decref(name);
        }
        snprintf(number, sizeof number, "%u", line->line);
        json_put_text(file, number, line->text);
    }
    return files;
}

static json_t *options_value(const struct trace *trace) {
    json_t *object = json_object();
    for (uint32_t i = 0; i < trace->option_count; i++) {
        json_t *name = json_text(trace->options[i].name);
        json_put_text(object, json_string_value(name), trace->options[i].value);
        json_decref(name);
    }
    return object;
}

static json_t *arguments_value(const struct trace *trace) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < trace->argument_count; i++)
        json_push(list, json_text(trace->arguments[i]));
    return list;
}

/* --- what is wrong --- */

static json_t *place_value(const struct trace_frame *place) {
    if (place == NULL)
        return json_null();
    json_t *object = json_object();
    json_put_text(object, "function", place->function);
    json_put_text(object, "file", place->file);
    json_put_count(object, "line", place->line);
    return object;
}

static json_t *finding_stacks_value(const struct finding *finding) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < finding->stack_count; i++) {
        json_t *entry = json_object();
        json_put_text(entry, "title", finding->stacks[i].title);
        json_put(entry, "task", task_value(finding->stacks[i].task));
        json_put_count(entry, "stack", finding->stacks[i].stack);
        json_push(list, entry);
    }
    return list;
}

static json_t *waits_value(const struct trace *trace) {
    const struct finding *finding = &trace->finding;
    json_t *list = json_array();
    for (uint32_t i = 0; i < finding->wait_count; i++) {
        const struct finding_wait *wait = &finding->waits[i];
        json_t *entry = json_object();
        json_put(entry, "task", task_value(wait->task));
        json_put(entry, "holder", task_value(wait->holder));
        json_put(entry, "operation", page_op_text(trace, &wait->op));
        json_put(entry, "for", page_wait_text(trace, wait));
        json_put_count(entry, "stack", wait->stack);
        json_put(entry, "cycle", json_boolean(waits_in_cycle(finding, wait)));
        json_push(list, entry);
    }
    return list;
}

static json_t *finding_value(const struct trace *trace) {
    const struct finding *finding = &trace->finding;
    if (!trace_fails(trace))
        return json_null();
    const struct finding_info *info = finding_info(finding->kind);
    char fingerprint[IDENTITY_SIZE];
    json_t *object = json_object();
    identity_of(trace, fingerprint);
    json_put_text(object, "kind", info->name);
    json_put_text(object, "title", info->title);
    json_put_text(object, "message", finding->text);
    json_put_text(object, "fingerprint", fingerprint);
    json_put(object, "object",
             finding->object ? page_object_text(trace, finding->object) : json_null());
    json_put(object, "task", task_value(finding->task));
    json_put(object, "place", place_value(trace_finding_place(trace)));
    json_put(object, "stacks", finding_stacks_value(finding));
    json_put(object, "waits", waits_value(trace));
    return object;
}

/* The sentences of evidence.h by name, as far as they are known. */
static json_t *evidence_words(const struct trace *trace) {
    static const struct {
        const char *name;
        bool (*write)(const struct trace *trace, FILE *out);
    } sentences[] = {
        {"size", evidence_size},
        {"turn", evidence_turn},
        {"critical", evidence_critical},
        {"passing", evidence_passing},
    };
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        char *text = NULL;
        size_t length;
        FILE *out = open_memstream(&text, &length);
        CHECK(out);
        bool known = sentences[i].write(trace, out);
        CHECK(fclose(out) == 0);
        if (known)
            json_put_text(object, sentences[i].name, text);
        free(text);
    }
    return object;
}

static json_t *evidence_value(const struct trace *trace) {
    const struct evidence *evidence = &trace->evidence;
    static const char *const words[SMALLNESSES] = {[SMALLNESS_UNKNOWN] = "unknown",
                                                   [SMALLNESS_TRIED] = "tried",
                                                   [SMALLNESS_TRADED] = "traded",
                                                   [SMALLNESS_PROVEN] = "proven"};
    if (evidence->smallness == SMALLNESS_UNKNOWN && evidence->turn == 0 && evidence->critical == 0)
        return json_null();
    json_t *object = json_object();
    json_put_text(object, "smallness", words[evidence->smallness]);
    json_put_count(object, "switches", evidence->switches);
    json_put_count(object, "found_switches", evidence->found_switches);
    json_put_count(object, "turn", evidence->turn);
    json_put_count(object, "critical", evidence->critical);
    json_put(object, "critical_proven", json_boolean(evidence->critical_proven));
    json_put_count(object, "tried", evidence->tried);
    json_put(object, "words", evidence_words(trace));
    return object;
}

/* --- all of it --- */

static json_t *schedules_value(const struct trace *trace) {
    struct trace passing;
    json_t *list = json_array();
    json_push(list, page_schedule(trace));
    if (trace_passing(trace, &passing))
        json_push(list, page_schedule(&passing));
    return list;
}

static json_t *wrote_value(const struct trace *trace) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < trace->wrote_count; i++)
        json_push(list, json_text(trace->wrote[i]));
    return list;
}

static json_t *trace_value(const struct trace *trace, const struct page_view *view) {
    json_t *root = json_object();
    json_put_text(root, "view", "trace");
    json_put_text(root, "heddle", trace->version);
    json_put_text(root, "program", trace->program);
    json_put(root, "arguments", arguments_value(trace));
    json_put_text(root, "directory", trace->directory);
    json_put_text(root, "build_id", trace->build_id);
    json_put(root, "options", options_value(trace));
    json_put_count(root, "execution", trace->at_execution);
    json_put(root, "replay", view->replay_command ? json_text(view->replay_command) : json_null());
    json_put(root, "finding", finding_value(trace));
    json_put(root, "wrote", wrote_value(trace));
    json_put(root, "evidence", evidence_value(trace));
    json_put(root, "tasks", tasks_value(trace));
    json_put(root, "frames", frames_value(trace));
    json_put(root, "stacks", stacks_value(trace));
    json_put(root, "lines", lines_value(trace));
    json_put(root, "schedules", schedules_value(trace));
    return root;
}

char *page_data(const struct trace *trace, const struct page_view *view) {
    json_t *root = trace_value(trace, view);
    char *text = json_dumps(root, JSON_COMPACT | JSON_ENSURE_ASCII);
    CHECK(text);
    json_decref(root);
    return text;
}
