/* trace.c - see trace.h. Memory comes from malloc, because traces are used in the tool, not in the
 * program. */
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "execution/waits.h"

struct trace_block {
    struct trace_block *next;
    char text[];
};

void trace_init(struct trace *trace) {
    memset(trace, 0, sizeof *trace);
    trace->version = trace->program = trace->directory = trace->build_id = trace->origin = "";
    trace->finding.kind = FINDING_KINDS;
    trace->evidence.turned = NO_TASK;
}

void trace_destroy(struct trace *trace) {
    void *arrays[] = {trace->arguments,      trace->options,
                      trace->frames,         trace->links,
                      trace->stacks,         trace->tasks,
                      trace->objects,        trace->lines,
                      trace->notes,          trace->wrote,
                      trace->events,         trace->decisions,
                      trace->passing_events, trace->passing_decisions};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    while (trace->blocks != NULL) {
        struct trace_block *next = trace->blocks->next;
        free(trace->blocks);
        trace->blocks = next;
    }
    trace_init(trace);
}

const char *trace_copy(struct trace *trace, const char *text) {
    size_t length = strlen(text) + 1;
    struct trace_block *block = malloc(sizeof *block + length);
    CHECK(block);
    memcpy(block->text, text, length);
    block->next = trace->blocks;
    trace->blocks = block;
    return block->text;
}

/* The capacity is the next power of two, so it needs no field of its own. */
void *trace_extend(void **items, uint32_t *count, size_t element) {
    if ((*count & (*count - 1)) == 0) {
        CHECK(*count < UINT32_MAX / 2);
        *items = realloc(*items, (*count ? (size_t)2 * *count : 1) * element);
        CHECK(*items);
    }
    return memset((char *)*items + element * (*count)++, 0, element);
}

static int compare_objects(const void *a, const void *b) {
    const struct trace_object *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static int compare_lines(const void *a, const void *b) {
    const struct trace_line *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

void trace_sort(struct trace *trace) {
    if (trace->object_count)
        qsort(trace->objects, trace->object_count, sizeof *trace->objects, compare_objects);
    if (trace->line_count)
        qsort(trace->lines, trace->line_count, sizeof *trace->lines, compare_lines);
}

bool trace_passing(const struct trace *trace, struct trace *view) {
    *view = *trace;
    view->events = trace->passing_events;
    view->event_count = trace->passing_event_count;
    view->decisions = trace->passing_decisions;
    view->decision_count = trace->passing_decision_count;
    view->finding = (struct finding){.kind = FINDING_KINDS, .task = NO_TASK};
    view->evidence = (struct evidence){.turned = NO_TASK};
    view->unfinished = false;
    view->passing_event_count = view->passing_decision_count = 0;
    return view->event_count > 0;
}

struct events trace_events(const struct trace *trace) {
    return (struct events){
        .list = trace->events, .count = trace->event_count, .task_count = trace->task_count};
}

uint32_t trace_switches(const struct trace *trace) {
    uint32_t count = 0, moved = NO_TASK;
    for (uint32_t i = 0; i < trace->decision_count; i++) {
        const struct decision *decision = &trace->decisions[i];
        if (decision->tag != CHOICE_SCHEDULE)
            continue;
        count += moved != NO_TASK && moved != decision->chosen;
        moved = decision->chosen;
    }
    return count;
}

const char *trace_line(const struct trace *trace, const char *file, uint32_t line) {
    struct trace_line key = {.file = file, .line = line};
    const struct trace_line *found = NULL;
    if (trace->line_count)
        found = bsearch(&key, trace->lines, trace->line_count, sizeof key, compare_lines);
    return found ? found->text : NULL;
}

const char *trace_object_name(const struct trace *trace, uint64_t address) {
    struct trace_object key = {.address = address};
    const struct trace_object *found = NULL;
    if (trace->object_count)
        found = bsearch(&key, trace->objects, trace->object_count, sizeof key, compare_objects);
    return found ? found->name : NULL;
}

const char *trace_option(const struct trace *trace, const char *name) {
    for (uint32_t i = 0; i < trace->option_count; i++)
        if (strcmp(trace->options[i].name, name) == 0)
            return trace->options[i].value;
    return NULL;
}

const struct trace_frame *trace_frame(const struct trace *trace, uint32_t stack, uint32_t depth) {
    if (stack == 0 || depth >= trace->stacks[stack - 1].count)
        return NULL;
    return &trace->frames[trace->links[trace->stacks[stack - 1].first + depth]];
}

bool trace_own_code(const struct trace_frame *frame) {
    return frame->file[0] && strncmp(frame->file, "/usr/", 5) != 0;
}

const struct trace_frame *trace_place(const struct trace *trace, uint32_t stack) {
    const struct trace_frame *frame;
    for (uint32_t depth = 0; (frame = trace_frame(trace, stack, depth)) != NULL; depth++)
        if (trace_own_code(frame))
            return frame;
    return trace_frame(trace, stack, 0);
}

const struct trace_frame *trace_finding_place(const struct trace *trace) {
    const struct finding *finding = &trace->finding;
    if (finding->stack_count)
        return trace_place(trace, finding->stacks[0].stack);
    const struct trace_frame *join = NULL;
    for (uint32_t i = 0; i < finding->wait_count; i++) {
        const struct trace_frame *place = trace_place(trace, finding->waits[i].stack);
        if (place == NULL || !trace_own_code(place))
            continue;
        if (finding->waits[i].op.kind != OP_JOIN)
            return place;
        join = join ? join : place;
    }
    if (join != NULL)
        return join;
    return finding->wait_count ? trace_place(trace, finding->waits[0].stack) : NULL;
}

bool trace_takes_part(const struct trace *trace, uint32_t task) {
    const struct finding *finding = &trace->finding;
    bool part = finding->task == task || waits_of(finding, task) != NULL;
    for (uint32_t i = 0; i < finding->stack_count; i++)
        part = part || finding->stacks[i].task == task;
    return part;
}

uint32_t trace_events_before(const struct trace *trace) {
    uint32_t count = trace->finding.event;
    return trace_fails(trace) && count < trace->event_count ? count : trace->event_count;
}

const char *trace_basename(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
