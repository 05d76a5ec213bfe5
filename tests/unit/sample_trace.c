/* sample_trace.c - see sample_trace.h. */
#include "sample_trace.h"

#include <string.h>

enum { ADDRESS_A = 0x4010, ADDRESS_B = 0x4038 };

static uint32_t add_frame(struct trace *trace, const char *function, uint32_t line) {
    struct trace_frame *frame = TRACE_ADD(trace->frames, trace->frame_count);
    *frame = (struct trace_frame){.function = function,
                                  .file = "/src/abba.c",
                                  .line = line,
                                  .module = "abba+0x1130",
                                  .source = "pthread_mutex_lock(&a);"};
    return trace->frame_count - 1;
}

static uint32_t add_stack(struct trace *trace, const char *function, uint32_t line) {
    uint32_t frame = add_frame(trace, function, line);
    uint32_t *link = TRACE_ADD(trace->links, trace->link_count);
    *link = frame;
    struct trace_stack *stack = TRACE_ADD(trace->stacks, trace->stack_count);
    *stack = (struct trace_stack){.first = trace->link_count - 1, .count = 1};
    return trace->stack_count;
}

static void add_task(struct trace *trace, const char *function, uint32_t parent, uint32_t child) {
    uint32_t stack = parent == NO_TASK ? 0 : add_stack(trace, "main", 30 + child);
    struct trace_task *task = TRACE_ADD(trace->tasks, trace->task_count);
    *task = (struct trace_task){.parent = parent,
                                .child = child,
                                .entry = 0x1100,
                                .pc = 0x1200,
                                .function = function,
                                .stack = stack};
}

static struct event *add_event(struct trace *trace, uint32_t task, enum op_kind kind,
                               uint64_t object, uint32_t line) {
    uint32_t stack = add_stack(trace, trace->tasks[task].function, line);
    struct event *event = TRACE_ADD(trace->events, trace->event_count);
    event->task = task;
    event->op = (struct op){.kind = kind, .object = object, .pc = 0x1300 + line};
    event->stack = stack;
    struct decision *decision = TRACE_ADD(trace->decisions, trace->decision_count);
    *decision = (struct decision){.chosen = task, .count = 2, .tag = CHOICE_SCHEDULE};
    return event;
}

static void add_note(struct trace *trace, uint32_t task, const char *text) {
    const char **note = TRACE_ADD(trace->notes, trace->note_count);
    *note = text;
    struct event *event = add_event(trace, task, OP_YIELD, 0, 12);
    event->flags = EVENT_NOTE;
    event->note = trace->note_count;
}

static void add_object(struct trace *trace, uint64_t address, const char *name) {
    struct trace_object *object = TRACE_ADD(trace->objects, trace->object_count);
    *object = (struct trace_object){.address = address, .name = name};
}

static void add_option(struct trace *trace, const char *name, const char *value) {
    struct trace_option *option = TRACE_ADD(trace->options, trace->option_count);
    *option = (struct trace_option){.name = name, .value = value};
}

static void add_argument(struct trace *trace, const char *text) {
    const char **argument = TRACE_ADD(trace->arguments, trace->argument_count);
    *argument = text;
}

static void set_head(struct trace *trace) {
    trace->version = "0.1.0";
    trace->program = "/bin/abba";
    trace->directory = "/src";
    trace->build_id = "00ff";
    trace->at_execution = 7;
    add_argument(trace, "./abba");
    add_argument(trace, "two words\tand a tab \\ \x01 \xc3\xa9");
    add_option(trace, "strategy", "persistent");
    add_option(trace, "seed", "1");
    add_object(trace, ADDRESS_A, "a");
    add_object(trace, ADDRESS_B, "locks[2]");
}

static void set_finding(struct trace *trace) {
    struct finding *finding = &trace->finding;
    finding->kind = FINDING_DEADLOCK;
    finding->task = NO_TASK;
    finding->event = trace->event_count;
    finding->object = ADDRESS_A;
    strcpy(finding->text, "2 tasks wait for each other");
    finding->stack_count = 1;
    finding->stacks[0] = (struct finding_stack){.title = "last operation", .task = 2, .pc = 0x1234};
    finding->stacks[0].stack = add_stack(trace, "second", 22);
    finding->wait_count = 2;
    finding->waits[0] = (struct finding_wait){
        .task = 1, .holder = 2, .op = {.kind = OP_LOCK, .object = ADDRESS_B, .pc = 0x1500}};
    finding->waits[0].stack = add_stack(trace, "first", 13);
    finding->waits[1] = (struct finding_wait){
        .task = 2, .holder = 1, .op = {.kind = OP_LOCK, .object = ADDRESS_A, .pc = 0x1600}};
    finding->waits[1].stack = add_stack(trace, "second", 22);
}

static void add_line(struct trace *trace, uint32_t line, const char *text) {
    struct trace_line *added = TRACE_ADD(trace->lines, trace->line_count);
    *added = (struct trace_line){.file = "/src/abba.c", .line = line, .text = text};
}

/* Adds the passing execution: the first task has both locks before the second task begins. */
static void set_passing(struct trace *trace) {
    for (uint32_t i = 0; i < 3; i++) {
        struct event *event = TRACE_ADD(trace->passing_events, trace->passing_event_count);
        *event = trace->events[i];
        struct decision *decision =
            TRACE_ADD(trace->passing_decisions, trace->passing_decision_count);
        *decision = trace->decisions[i];
    }
    struct event *event = TRACE_ADD(trace->passing_events, trace->passing_event_count);
    *event = trace->events[2];
    event->op.object = ADDRESS_B;
    trace->evidence = (struct evidence){.smallness = SMALLNESS_PROVEN,
                                        .switches = 2,
                                        .found_switches = 4,
                                        .turn = 5,
                                        .turned = 1,
                                        .critical = 5,
                                        .critical_proven = true,
                                        .tried = 12};
}

void sample_trace(struct trace *trace, uint32_t tasks) {
    trace_init(trace);
    set_head(trace);
    add_task(trace, "main", NO_TASK, 0);
    add_task(trace, "first", 0, 0);
    add_task(trace, "second", 0, 1);
    for (uint32_t i = 3; i < tasks; i++)
        add_task(trace, "other", 0, i - 1);
    add_event(trace, 0, OP_CREATE, 0, 30)->result = 1;
    add_event(trace, 0, OP_CREATE, 0, 31)->result = 2;
    add_event(trace, 1, OP_LOCK, ADDRESS_A, 12);
    add_note(trace, 1, "a line\nand another");
    add_event(trace, 2, OP_LOCK, ADDRESS_B, 21);
    for (uint32_t i = 3; i < tasks; i++)
        add_event(trace, i, OP_UNLOCK, ADDRESS_A, 50);
    set_finding(trace);
    set_passing(trace);
    add_line(trace, 13, "\tpthread_mutex_lock(&b);");
    add_line(trace, 12, "\tpthread_mutex_lock(&a);");
    trace_sort(trace);
}
