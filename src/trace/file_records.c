/* file_records.c - see file_records.h. Each record is described by one function for both directions
 * (file_codec.h).
 *
 * A new record is one such function and one row in the table. Nothing in a record may be used as an
 * index before records_valid() has looked at the whole trace. */
#include "trace/file_records.h"

#include <string.h>

#include "trace/file_codec.h"

/* Names the fields of one record. When writing, `at` is the number of the record; when reading, it
 * has no meaning. */
typedef void record_fields(struct codec *codec, uint32_t at);

static const char *kind_name(uint32_t kind) {
    return op_info(kind)->name;
}

static const char *tag_name(uint32_t tag) {
    return choice_tag_name(tag);
}

static const char *finding_name(uint32_t kind) {
    return finding_info(kind)->name;
}

static const char *smallness_name(uint32_t smallness) {
    static const char *const names[SMALLNESSES] = {"unknown", "tried", "traded", "proven"};
    return names[smallness];
}

/* The element to write, or a new element to read into. */
#define ELEMENT(codec, items, count, at) \
    (codec_reads(codec) ? TRACE_ADD((codec)->trace->items, (codec)->trace->count) \
                        : (void *)&(codec)->trace->items[at])

static void code_head(struct codec *codec, uint32_t at) {
    (void)at;
    codec_text(codec, &codec->trace->program);
    codec_text(codec, &codec->trace->build_id);
    codec_text(codec, &codec->trace->directory);
    codec_text(codec, &codec->trace->version);
    codec_number(codec, &codec->trace->at_execution);
}

static void code_argument(struct codec *codec, uint32_t at) {
    codec_text(codec, ELEMENT(codec, arguments, argument_count, at));
}

static void code_option(struct codec *codec, uint32_t at) {
    struct trace_option *option = ELEMENT(codec, options, option_count, at);
    codec_text(codec, &option->name);
    codec_text(codec, &option->value);
}

static void code_frame(struct codec *codec, uint32_t at) {
    struct trace_frame *frame = ELEMENT(codec, frames, frame_count, at);
    codec_text(codec, &frame->function);
    codec_text(codec, &frame->file);
    codec_u32(codec, &frame->line);
    codec_text(codec, &frame->module);
    codec_text(codec, &frame->source);
}

static void code_stack(struct codec *codec, uint32_t at) {
    struct trace *trace = codec->trace;
    struct trace_stack *stack = ELEMENT(codec, stacks, stack_count, at);
    if (codec_reads(codec)) {
        stack->first = trace->link_count;
        while (codec_more(codec))
            codec_u32(codec, TRACE_ADD(trace->links, trace->link_count));
        stack->count = trace->link_count - stack->first;
        return;
    }
    for (uint32_t i = 0; i < stack->count; i++)
        codec_u32(codec, &trace->links[stack->first + i]);
}

static void code_task(struct codec *codec, uint32_t at) {
    struct trace_task *task = ELEMENT(codec, tasks, task_count, at);
    codec_task(codec, &task->parent);
    codec_u32(codec, &task->child);
    codec_address(codec, &task->entry);
    codec_address(codec, &task->pc);
    codec_text(codec, &task->function);
    codec_u32(codec, &task->stack);
}

static void code_object(struct codec *codec, uint32_t at) {
    struct trace_object *object = ELEMENT(codec, objects, object_count, at);
    codec_address(codec, &object->address);
    codec_text(codec, &object->name);
}

static void code_line(struct codec *codec, uint32_t at) {
    struct trace_line *line = ELEMENT(codec, lines, line_count, at);
    codec_text(codec, &line->file);
    codec_u32(codec, &line->line);
    codec_text(codec, &line->text);
}

static void code_wrote(struct codec *codec, uint32_t at) {
    codec_text(codec, ELEMENT(codec, wrote, wrote_count, at));
}

static void code_note(struct codec *codec, uint32_t at) {
    codec_text(codec, ELEMENT(codec, notes, note_count, at));
}

static void code_op(struct codec *codec, struct op *op) {
    uint32_t kind = op->kind;
    codec_name(codec, &kind, kind_name, OP_KINDS);
    op->kind = (uint8_t)kind;
    codec_u8(codec, &op->order);
    codec_u8(codec, &op->size);
    codec_bool(codec, &op->timed);
    codec_task(codec, &op->target);
    codec_address(codec, &op->object);
    codec_address(codec, &op->object2);
    codec_address(codec, &op->value);
    codec_address(codec, &op->pc);
}

static void code_event_fields(struct codec *codec, struct event *event) {
    codec_u32(codec, &event->task);
    code_op(codec, &event->op);
    codec_u32(codec, &event->flags);
    codec_address(codec, &event->result);
    codec_u32(codec, &event->stack);
    codec_u32(codec, &event->note);
}

static void code_event(struct codec *codec, uint32_t at) {
    code_event_fields(codec, ELEMENT(codec, events, event_count, at));
}

static void code_passing_event(struct codec *codec, uint32_t at) {
    code_event_fields(codec, ELEMENT(codec, passing_events, passing_event_count, at));
}

static void code_decision_fields(struct codec *codec, struct decision *decision) {
    uint32_t tag = decision->tag;
    codec_name(codec, &tag, tag_name, CHOICE_TAGS);
    decision->tag = (uint8_t)tag;
    codec_u32(codec, &decision->chosen);
    codec_u32(codec, &decision->count);
}

static void code_decision(struct codec *codec, uint32_t at) {
    code_decision_fields(codec, ELEMENT(codec, decisions, decision_count, at));
}

static void code_passing_decision(struct codec *codec, uint32_t at) {
    code_decision_fields(codec, ELEMENT(codec, passing_decisions, passing_decision_count, at));
}

static void code_evidence(struct codec *codec, uint32_t at) {
    struct evidence *evidence = &codec->trace->evidence;
    (void)at;
    uint32_t smallness = evidence->smallness;
    codec_name(codec, &smallness, smallness_name, SMALLNESSES);
    evidence->smallness = smallness;
    codec_u32(codec, &evidence->switches);
    codec_u32(codec, &evidence->found_switches);
    codec_u32(codec, &evidence->turn);
    codec_task(codec, &evidence->turned);
    codec_u32(codec, &evidence->critical);
    codec_bool(codec, &evidence->critical_within);
    codec_bool(codec, &evidence->critical_proven);
    codec_number(codec, &evidence->tried);
}

/* Only cli/supervise/origin.c uses it. Any text is valid, and a wrong one equals the mark of no
 * machine. */
static void code_origin(struct codec *codec, uint32_t at) {
    (void)at;
    codec_text(codec, &codec->trace->origin);
}

/* The record has no fields. Its presence is the information. */
static void code_unfinished(struct codec *codec, uint32_t at) {
    (void)at;
    if (codec_reads(codec))
        codec->trace->unfinished = true;
}

static void code_finding(struct codec *codec, uint32_t at) {
    struct finding *finding = &codec->trace->finding;
    (void)at;
    uint32_t kind = finding->kind;
    codec_name(codec, &kind, finding_name, FINDING_KINDS);
    finding->kind = kind;
    codec_task(codec, &finding->task);
    codec_u32(codec, &finding->event);
    codec_address(codec, &finding->object);
    codec_bool(codec, &finding->place_varies);
    codec_chars(codec, finding->text, sizeof finding->text);
}

/* When reading, the next free element of an array of the finding; when writing, the number `at`. */
static uint32_t next_of_finding(struct codec *codec, uint32_t *count, uint32_t limit, uint32_t at) {
    if (!codec_reads(codec))
        return at;
    if (*count < limit)
        return (*count)++;
    codec->bad = true;
    return limit - 1;
}

static void code_finding_stack(struct codec *codec, uint32_t at) {
    struct finding *finding = &codec->trace->finding;
    at = next_of_finding(codec, &finding->stack_count, FINDING_STACKS, at);
    struct finding_stack *stack = &finding->stacks[at];
    codec_chars(codec, stack->title, sizeof stack->title);
    codec_task(codec, &stack->task);
    codec_u32(codec, &stack->stack);
    codec_address(codec, &stack->pc);
}

static void code_wait(struct codec *codec, uint32_t at) {
    struct finding *finding = &codec->trace->finding;
    at = next_of_finding(codec, &finding->wait_count, FINDING_WAITS, at);
    struct finding_wait *wait = &finding->waits[at];
    codec_task(codec, &wait->task);
    codec_task(codec, &wait->holder);
    code_op(codec, &wait->op);
    codec_u32(codec, &wait->stack);
}

/* `count` is the offset in struct trace of the number of such records. 0: there is one such record,
 * unless `present` says that there is none. */
struct record {
    const char *name;
    record_fields *code;
    size_t count;
    bool (*present)(const struct trace *trace);
};

static bool has_evidence(const struct trace *trace) {
    return trace->evidence.smallness != SMALLNESS_UNKNOWN;
}

static bool has_origin(const struct trace *trace) {
    return trace->origin[0] != '\0';
}

static bool is_unfinished(const struct trace *trace) {
    return trace->unfinished;
}

#define COUNT(member) offsetof(struct trace, member)

static const struct record records[] = {
    {"program", code_head, 0, NULL},
    {"argument", code_argument, COUNT(argument_count), NULL},
    {"origin", code_origin, 0, has_origin},
    {"option", code_option, COUNT(option_count), NULL},
    {"frame", code_frame, COUNT(frame_count), NULL},
    {"stack", code_stack, COUNT(stack_count), NULL},
    {"task", code_task, COUNT(task_count), NULL},
    {"object", code_object, COUNT(object_count), NULL},
    {"line", code_line, COUNT(line_count), NULL},
    {"note", code_note, COUNT(note_count), NULL},
    {"event", code_event, COUNT(event_count), NULL},
    {"decision", code_decision, COUNT(decision_count), NULL},
    {"passing-event", code_passing_event, COUNT(passing_event_count), NULL},
    {"passing-decision", code_passing_decision, COUNT(passing_decision_count), NULL},
    {"evidence", code_evidence, 0, has_evidence},
    {"unfinished", code_unfinished, 0, is_unfinished},
    {"finding", code_finding, 0, trace_fails},
    {"finding-stack", code_finding_stack, COUNT(finding.stack_count), NULL},
    {"wrote", code_wrote, COUNT(wrote_count), NULL},
    {"wait", code_wait, COUNT(finding.wait_count), NULL},
};
enum { RECORDS = sizeof records / sizeof *records };

static uint32_t record_count(const struct record *record, const struct trace *trace) {
    uint32_t count;
    if (record->count == 0)
        return record->present == NULL || record->present(trace);
    memcpy(&count, (const char *)trace + record->count, sizeof count);
    return count;
}

void records_write(const struct trace *trace, FILE *out) {
    struct codec codec = {.trace = (struct trace *)trace, .out = out};
    for (size_t i = 0; i < RECORDS; i++) {
        const struct record *record = &records[i];
        uint32_t count = record_count(record, trace);
        for (uint32_t at = 0; at < count; at++) {
            fputs(record->name, out);
            record->code(&codec, at);
            fputc('\n', out);
        }
    }
}

bool records_read(struct trace *trace, char *line) {
    char *tab = strchr(line, '\t');
    if (tab != NULL)
        *tab = '\0';
    struct codec codec = {.trace = trace, .rest = tab ? tab + 1 : NULL};
    for (size_t i = 0; i < RECORDS; i++) {
        if (strcmp(records[i].name, line) != 0)
            continue;
        records[i].code(&codec, 0);
        return !codec.bad && !codec_more(&codec);
    }
    return false;
}

static bool task_valid(const struct trace *trace, uint32_t task) {
    return task < trace->task_count || task == NO_TASK;
}

/* The first task has no parent. The parent of any other task was created before it. */
static bool name_valid(const struct trace *trace, uint32_t task) {
    const struct trace_task *name = &trace->tasks[task];
    return task == 0 ? name->parent == NO_TASK && name->child == 0 : name->parent < task;
}

static bool links_valid(const struct trace *trace) {
    for (uint32_t i = 0; i < trace->link_count; i++)
        if (trace->links[i] >= trace->frame_count)
            return false;
    for (uint32_t i = 0; i < trace->task_count; i++)
        if (trace->tasks[i].stack > trace->stack_count || !name_valid(trace, i))
            return false;
    return true;
}

static bool events_valid(const struct trace *trace, const struct event *events, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const struct event *event = &events[i];
        if (event->task >= trace->task_count || event->stack > trace->stack_count ||
            event->note > trace->note_count)
            return false;
    }
    return true;
}

static bool finding_valid(const struct trace *trace) {
    const struct finding *finding = &trace->finding;
    if (!trace_fails(trace))
        return finding->stack_count == 0 && finding->wait_count == 0;
    if (!task_valid(trace, finding->task) || finding->event > trace->event_count)
        return false;
    for (uint32_t i = 0; i < finding->stack_count; i++)
        if (!task_valid(trace, finding->stacks[i].task) ||
            finding->stacks[i].stack > trace->stack_count)
            return false;
    for (uint32_t i = 0; i < finding->wait_count; i++)
        if (finding->waits[i].task >= trace->task_count ||
            !task_valid(trace, finding->waits[i].holder) ||
            finding->waits[i].stack > trace->stack_count)
            return false;
    return true;
}

bool records_valid(const struct trace *trace) {
    return trace->program[0] && trace->argument_count && trace->task_count && links_valid(trace) &&
           events_valid(trace, trace->events, trace->event_count) &&
           events_valid(trace, trace->passing_events, trace->passing_event_count) &&
           trace->evidence.turn <= trace->event_count &&
           task_valid(trace, trace->evidence.turned) &&
           trace->evidence.critical <= trace->event_count && finding_valid(trace);
}
