/* collect.c - see collect.h.
 *
 * The stacks of an execution have the same few addresses again and again. So each address is
 * symbolised once, and each distinct stack is stored once (in search trees of the C library).
 * Frames of Heddle's own runtime are left out. */
#define _GNU_SOURCE
#include "cli/names/collect.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/names/heap_names.h"
#include "cli/names/objects.h"
#include "cli/supervise/origin.h"
#include "cli/names/source.h"
#include "cli/base/version.h"

/* An address and its frames, which are consecutive in the trace. */
struct known_pc {
    uint64_t pc;
    uint32_t first, count;
    bool runtime;
};

/* A stack of addresses and its number in the trace. */
struct known_stack {
    const uint64_t *pcs; /* the addresses in the session, or `single` */
    uint64_t single;
    uint64_t entry; /* the entry function of the stack's task */
    uint32_t count, number;
};

struct collector {
    const struct collect_source *source;
    const struct execution *execution;
    struct trace *trace;
    struct source_files *files;
    struct heap_names *heap;
    void *pcs, *stacks, *objects, *lines; /* search trees */
};

/* Compares elements that begin with an address. */
static int compare_addresses(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int compare_stacks(const void *a, const void *b) {
    const struct known_stack *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    for (uint32_t i = 0; i < x->count; i++)
        if (x->pcs[i] != y->pcs[i])
            return x->pcs[i] < y->pcs[i] ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Returns the element of the tree that equals `key`. If there is none, the key itself is added and
 * returned. */
static void *intern(void **tree, void *key, int (*compare)(const void *, const void *)) {
    void **node = tsearch(key, tree, compare);
    CHECK(node);
    return *node;
}

/* --- stacks --- */

static void add_frame(struct collector *self, const struct symbols_frame *from) {
    struct trace_frame *to = TRACE_ADD(self->trace->frames, self->trace->frame_count);
    to->function = trace_copy(self->trace, from->function);
    to->file = trace_copy(self->trace, from->file);
    to->line = from->line;
    to->module = trace_copy(self->trace, from->module);
    to->source = trace_copy(self->trace, source_line(self->files, from->file, from->line));
}

static const struct known_pc *know_pc(struct collector *self, uint64_t pc) {
    struct known_pc *known = calloc(1, sizeof *known);
    CHECK(known);
    known->pc = pc;
    struct known_pc *found = intern(&self->pcs, known, compare_addresses);
    if (found != known) {
        free(known);
        return found;
    }
    struct symbols_frame frames[SYMBOLS_INLINED_MAX];
    known->first = self->trace->frame_count;
    known->count = symbols_frames(self->source->symbols, pc, frames);
    known->runtime = frames[0].runtime;
    for (uint32_t i = 0; i < known->count; i++)
        add_frame(self, &frames[i]);
    return known;
}

static void add_links(struct collector *self, const struct known_pc *known) {
    for (uint32_t i = 0; i < known->count; i++) {
        uint32_t *link = TRACE_ADD(self->trace->links, self->trace->link_count);
        *link = known->first + i;
    }
}

static uint32_t add_stack(struct collector *self, const struct known_stack *stack) {
    uint32_t first = self->trace->link_count;
    for (uint32_t i = 0; i < stack->count; i++) {
        const struct known_pc *known = know_pc(self, stack->pcs[i]);
        if (!known->runtime)
            add_links(self, known);
    }
    /* The stack has only code of Heddle: the task stands before the first line of its function, or
     * after the last one. The byte before a return address is looked up, hence the 1. */
    if (self->trace->link_count == first && stack->entry)
        add_links(self, know_pc(self, stack->entry + 1));
    struct trace_stack *added = TRACE_ADD(self->trace->stacks, self->trace->stack_count);
    *added = (struct trace_stack){.first = first, .count = self->trace->link_count - first};
    return self->trace->stack_count;
}

/* Returns the number of a stack in the trace. `stack` is its place in the execution's frames. If
 * there is none, the single address is used instead; if that is missing too, there is no stack. */
static uint32_t know_stack(struct collector *self, uint32_t task, uint32_t stack, uint64_t pc) {
    const struct session *session = self->source->session;
    if (stack == 0 && pc == 0)
        return 0;
    struct known_stack *known = calloc(1, sizeof *known);
    CHECK(known);
    known->entry = task < session->result.tasks.count ? session->result.tasks.list[task].entry : 0;
    if (stack != 0) {
        known->count = (uint32_t)self->execution->frames[stack];
        known->pcs = self->execution->frames + stack + 1;
    }
    if (known->count == 0) {
        known->single = pc;
        known->pcs = &known->single;
        known->count = 1;
    }
    struct known_stack *found = intern(&self->stacks, known, compare_stacks);
    if (found == known)
        known->number = add_stack(self, known);
    else
        free(known);
    return found->number;
}

/* --- objects --- */

static void know_object(struct collector *self, uint64_t address) {
    struct trace_object *object = calloc(1, sizeof *object);
    CHECK(object);
    object->address = address;
    if (address == 0 || intern(&self->objects, object, compare_addresses) != object) {
        free(object);
        return;
    }
    char name[SYMBOLS_NAME];
    if (!heap_names_name(self->heap, address, name, sizeof name) &&
        !objects_name(self->source->symbols, address, name, sizeof name))
        return;
    struct trace_object *added = TRACE_ADD(self->trace->objects, self->trace->object_count);
    *added = (struct trace_object){.address = address, .name = trace_copy(self->trace, name)};
}

static void know_op(struct collector *self, const struct op *op) {
    enum op_class class = op_info(op->kind)->class;
    if (class != CLASS_MEMORY && class != CLASS_OBJECT)
        return;
    know_object(self, op->object);
    know_object(self, op->object2);
}

/* --- the parts of a trace --- */

static void collect_head(struct collector *self, uint64_t at_execution) {
    struct trace *trace = self->trace;
    char directory[PATH_MAX];
    trace->version = HEDDLE_VERSION;
    trace->program = trace_copy(trace, self->source->program->path);
    trace->build_id = trace_copy(trace, self->source->program->build_id);
    trace->directory =
        trace_copy(trace, getcwd(directory, sizeof directory) != NULL ? directory : "");
    trace->at_execution = at_execution;
    for (char *const *argument = self->source->arguments; *argument != NULL; argument++) {
        const char **added = TRACE_ADD(trace->arguments, trace->argument_count);
        *added = trace_copy(trace, *argument);
    }
    options_record(self->source->options, trace);
    origin_mark(trace);
}

/* The table of names only grows, so it may be longer than this execution needs. It must not be
 * shorter, because names must be the same on replay. */
static void collect_tasks(struct collector *self) {
    const struct session *session = self->source->session;
    for (uint32_t i = 0; i < session->result.tasks.count; i++) {
        const struct task_name *from = &session->result.tasks.list[i];
        char name[SYMBOLS_NAME] = "main";
        if (i > 0 && !symbols_own_function(self->source->symbols, from->entry, name, sizeof name))
            name[0] = '\0';
        uint32_t stack = know_stack(self, from->parent, 0, from->pc);
        struct trace_task *task = TRACE_ADD(self->trace->tasks, self->trace->task_count);
        *task = (struct trace_task){.parent = from->parent,
                                    .child = from->child,
                                    .entry = from->entry,
                                    .pc = from->pc,
                                    .stack = stack};
        task->function = trace_copy(self->trace, name);
    }
}

static uint32_t collect_note(struct collector *self, uint32_t note) {
    if (note == 0)
        return 0;
    const char **added = TRACE_ADD(self->trace->notes, self->trace->note_count);
    *added = trace_copy(self->trace, self->execution->text + note);
    return self->trace->note_count;
}

/* If this execution recorded the stack at the creation of the task, it is better than the place
 * alone. */
static void note_creation(struct collector *self, const struct event *event) {
    if (event->op.kind == OP_CREATE && !(event->flags & (EVENT_NOTE | EVENT_FAILED)) &&
        event->result < self->trace->task_count)
        self->trace->tasks[event->result].stack = event->stack;
}

/* Copies an event of the execution, with the numbers of the trace. */
static struct event collect_event(struct collector *self, const struct event *from) {
    struct event event = *from;
    event.stack = know_stack(self, from->task, from->stack, from->op.pc);
    event.note = collect_note(self, from->note);
    know_op(self, &from->op);
    note_creation(self, &event);
    return event;
}

static void collect_execution(struct collector *self) {
    struct trace *trace = self->trace;
    const struct execution *from = self->execution;
    for (uint32_t i = 0; i < from->event_count; i++) {
        struct event event = collect_event(self, &from->events[i]);
        *(struct event *)TRACE_ADD(trace->events, trace->event_count) = event;
    }
    for (uint32_t i = 0; i < from->decision_count; i++)
        *(struct decision *)TRACE_ADD(trace->decisions, trace->decision_count) = from->decisions[i];
}

static void collect_passing(struct collector *self, const struct execution *passing) {
    struct trace *trace = self->trace;
    self->execution = passing;
    for (uint32_t i = 0; i < passing->event_count; i++) {
        struct event event = collect_event(self, &passing->events[i]);
        *(struct event *)TRACE_ADD(trace->passing_events, trace->passing_event_count) = event;
    }
    for (uint32_t i = 0; i < passing->decision_count; i++)
        *(struct decision *)TRACE_ADD(trace->passing_decisions, trace->passing_decision_count) =
            passing->decisions[i];
}

/* If the function of a task belongs to a library (std::thread has one for all threads), the
 * outermost function of the user on its stack is a better name. */
static const char *outermost_own(const struct trace *trace, uint32_t stack) {
    const struct trace_frame *frame;
    const char *name = NULL;
    for (uint32_t depth = 0; (frame = trace_frame(trace, stack, depth)) != NULL; depth++)
        if (trace_own_code(frame))
            name = frame->function;
    return name;
}

static void name_task(struct trace *trace, uint32_t id, uint32_t stack) {
    struct trace_task *task = &trace->tasks[id];
    const char *name = task->function[0] ? NULL : outermost_own(trace, stack);
    if (name != NULL)
        task->function = name;
}

/* A task that fails or is blocked may not have made any event. */
static void name_tasks(struct trace *trace) {
    for (uint32_t i = 0; i < trace->event_count; i++)
        name_task(trace, trace->events[i].task, trace->events[i].stack);
    for (uint32_t i = 0; i < trace->finding.stack_count; i++)
        name_task(trace, trace->finding.stacks[i].task, trace->finding.stacks[i].stack);
    for (uint32_t i = 0; i < trace->finding.wait_count; i++)
        name_task(trace, trace->finding.waits[i].task, trace->finding.waits[i].stack);
}

/* --- source --- */

enum { LINES_AROUND = 4 };

/* Compares elements that begin with a file and a line. */
static int compare_lines(const void *a, const void *b) {
    const struct trace_line *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static void know_line(struct collector *self, const char *file, uint32_t number) {
    struct trace_line *line = calloc(1, sizeof *line);
    CHECK(line);
    *line = (struct trace_line){.file = file, .line = number};
    if (intern(&self->lines, line, compare_lines) != line) {
        free(line);
        return;
    }
    const char *text = source_text(self->files, file, number);
    if (text == NULL)
        return;
    struct trace_line *added = TRACE_ADD(self->trace->lines, self->trace->line_count);
    *added = (struct trace_line){file, number, trace_copy(self->trace, text)};
}

/* Collects the lines around each place in the user's own code, because the trace must be readable
 * without the sources. */
static void collect_lines(struct collector *self) {
    for (uint32_t i = 0; i < self->trace->frame_count; i++) {
        const struct trace_frame *frame = &self->trace->frames[i];
        if (!trace_own_code(frame))
            continue;
        uint32_t first = frame->line > LINES_AROUND ? frame->line - LINES_AROUND : 1;
        for (uint32_t line = first; line <= frame->line + LINES_AROUND; line++)
            know_line(self, frame->file, line);
    }
}

static void collect_finding(struct collector *self, const struct finding *from) {
    struct finding *finding = &self->trace->finding;
    *finding = *from;
    know_object(self, finding->object);
    for (uint32_t i = 0; i < finding->stack_count; i++) {
        struct finding_stack *stack = &finding->stacks[i];
        stack->stack = know_stack(self, stack->task, stack->stack, stack->pc);
    }
    for (uint32_t i = 0; i < finding->wait_count; i++) {
        struct finding_wait *wait = &finding->waits[i];
        wait->stack = know_stack(self, wait->task, wait->stack, wait->op.pc);
        know_op(self, &wait->op);
    }
}

void collect_trace(struct trace *trace, const struct collect_source *source,
                   const struct collect_subject *subject) {
    struct collector self = {.source = source, .execution = subject->execution, .trace = trace};
    trace_init(trace);
    self.files = source_create();
    self.heap = heap_names_create(source->symbols, self.files, &subject->execution->blocks,
                                  subject->passing ? &subject->passing->blocks : NULL);
    collect_head(&self, subject->at_execution);
    collect_tasks(&self);
    collect_execution(&self);
    if (subject->finding != NULL)
        collect_finding(&self, subject->finding);
    if (subject->passing != NULL)
        collect_passing(&self, subject->passing);
    collect_lines(&self);
    name_tasks(trace);
    trace_sort(trace);
    tdestroy(self.pcs, free);
    tdestroy(self.stacks, free);
    tdestroy(self.objects, free);
    tdestroy(self.lines, free);
    heap_names_destroy(self.heap);
    source_destroy(self.files);
}

const char *collect_place(struct symbols *symbols, uint64_t pc, char text[PLACE_SIZE]) {
    struct symbols_frame frames[SYMBOLS_INLINED_MAX];
    text[0] = '\0';
    if (pc == 0)
        return text;
    symbols_frames(symbols, pc, frames);
    const struct symbols_frame *frame = &frames[0];
    if (frame->file[0])
        snprintf(text, PLACE_SIZE, "%.200s:%u in %.200s", trace_basename(frame->file), frame->line,
                 frame->function);
    else
        snprintf(text, PLACE_SIZE, "%.200s%s%.200s", frame->module,
                 frame->function[0] ? " in " : "", frame->function);
    return text;
}
