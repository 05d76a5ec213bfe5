/* names.c - see names.h. */
#define _GNU_SOURCE
#include "cli/sim/names.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "cli/names/objects.h"
#include "reports/describe.h"

/* An address of code and its frames. */
struct place {
    uint64_t pc;
    bool runtime; /* code of Heddle itself, which is not shown */
    uint32_t count;
    struct trace_frame frames[];
};

void names_init(struct names *names, const struct session *session) {
    *names = (struct names){.session = session};
    names->symbols = symbols_create(session->result.modules.list, session->result.modules.count);
    names->files = source_create();
    trace_init(&names->trace);
    names_know_tasks(names);
}

void names_destroy(struct names *names) {
    if (names->symbols == NULL)
        return;
    tdestroy(names->places, free);
    trace_destroy(&names->trace);
    source_destroy(names->files);
    symbols_destroy(names->symbols);
}

/* --- places --- */

struct stack_view names_task_stack(const struct dialogue_task *task) {
    return (struct stack_view){task->stack, task->stack_count, task->task, task->op.pc};
}

struct stack_view names_event_stack(const struct execution *execution, const struct event *event) {
    struct stack_view view = {.task = event->task, .pc = event->op.pc};
    if (event->stack != 0) {
        view.count = (uint32_t)execution->frames[event->stack];
        view.pcs = execution->frames + event->stack + 1;
    }
    return view;
}

static int compare_places(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    return (x->pc > y->pc) - (x->pc < y->pc);
}

static struct place *look_up(struct names *names, uint64_t pc) {
    struct symbols_frame frames[SYMBOLS_INLINED_MAX];
    uint32_t count = symbols_frames(names->symbols, pc, frames);
    struct place *place = calloc(1, sizeof *place + count * sizeof place->frames[0]);
    CHECK(place);
    place->pc = pc;
    place->runtime = frames[0].runtime;
    place->count = count;
    for (uint32_t i = 0; i < count; i++)
        place->frames[i] = (struct trace_frame){
            .function = trace_copy(&names->trace, frames[i].function),
            .file = trace_copy(&names->trace, frames[i].file),
            .line = frames[i].line,
            .module = trace_copy(&names->trace, frames[i].module),
            .source = "",
        };
    return place;
}

static const struct place *know_place(struct names *names, uint64_t pc) {
    struct place key = {.pc = pc};
    void **found = tfind(&key, &names->places, compare_places);
    if (found == NULL) {
        found = tsearch(look_up(names, pc), &names->places, compare_places);
        CHECK(found);
    }
    return *found;
}

/* Visits the frames of a stack, innermost first, without those of the runtime, until `visit`
 * returns true. A task without a frame of its own stands at the beginning or the end of its
 * function. */
typedef bool visit_frame(const struct trace_frame *frame, void *context);

static bool visit_place(struct names *names, uint64_t pc, visit_frame *visit, void *context,
                        uint32_t *visited) {
    const struct place *place = know_place(names, pc);
    bool enough = false;
    for (uint32_t i = 0; !place->runtime && !enough && i < place->count; i++, (*visited)++)
        enough = visit(&place->frames[i], context);
    return enough;
}

static void visit_frames(struct names *names, const struct stack_view *stack, visit_frame *visit,
                         void *context) {
    const struct session *session = names->session;
    uint32_t visited = 0;
    bool enough = false;
    for (uint32_t i = 0; !enough && i < stack->count; i++)
        enough = visit_place(names, stack->pcs[i], visit, context, &visited);
    if (stack->count == 0 && stack->pc != 0)
        enough = visit_place(names, stack->pc, visit, context, &visited);
    if (visited == 0 && stack->task < session->result.tasks.count &&
        session->result.tasks.list[stack->task].entry)
        visit_place(names, session->result.tasks.list[stack->task].entry + 1, visit, context,
                    &visited);
}

struct search {
    /* The last two are in the user's code. */
    const struct trace_frame *first, *innermost, *outermost;
};

static bool search_own(const struct trace_frame *frame, void *context) {
    struct search *search = context;
    if (search->first == NULL)
        search->first = frame;
    if (trace_own_code(frame)) {
        search->outermost = frame;
        if (search->innermost == NULL)
            search->innermost = frame;
    }
    return false;
}

const struct trace_frame *names_place(struct names *names, const struct stack_view *stack) {
    struct search search = {0};
    visit_frames(names, stack, search_own, &search);
    return search.innermost != NULL ? search.innermost : search.first;
}

struct printing {
    FILE *out;
    uint32_t depth;
};

static bool print_frame(const struct trace_frame *frame, void *context) {
    struct printing *printing = context;
    fprintf(printing->out, "  #%" PRIu32 " ", printing->depth++);
    describe_text(frame->function[0] ? frame->function : "??", printing->out);
    if (frame->file[0]) {
        fputc(' ', printing->out);
        describe_text(trace_basename(frame->file), printing->out);
        fprintf(printing->out, ":%" PRIu32 "\n", frame->line);
    } else {
        fprintf(printing->out, " (%s)\n", frame->module);
    }
    return false;
}

void names_print_stack(struct names *names, const struct stack_view *stack, FILE *out) {
    struct printing printing = {.out = out};
    visit_frames(names, stack, print_frame, &printing);
}

/* --- tasks and objects --- */

void names_know_tasks(struct names *names) {
    const struct session *session = names->session;
    struct trace *trace = &names->trace;
    while (trace->task_count < session->result.tasks.count) {
        char name[SYMBOLS_NAME] = "main";
        uint32_t at = trace->task_count;
        uint64_t entry = session->result.tasks.list[at].entry;
        if (at > 0 && !symbols_own_function(names->symbols, entry, name, sizeof name))
            name[0] = '\0';
        struct trace_task *task = TRACE_ADD(trace->tasks, trace->task_count);
        task->function = trace_copy(trace, name);
    }
}

void names_know_task(struct names *names, const struct stack_view *stack) {
    struct search search = {0};
    if (stack->task >= names->trace.task_count || names->trace.tasks[stack->task].function[0])
        return;
    visit_frames(names, stack, search_own, &search);
    if (search.outermost != NULL)
        names->trace.tasks[stack->task].function = search.outermost->function;
}

static void know_object(struct names *names, uint64_t address) {
    char name[SYMBOLS_NAME];
    struct trace *trace = &names->trace;
    if (address == 0 || trace_object_name(trace, address) != NULL)
        return;
    if (!objects_name(names->symbols, address, name, sizeof name))
        snprintf(name, sizeof name, "0x%" PRIx64, address);
    struct trace_object *object = TRACE_ADD(trace->objects, trace->object_count);
    *object = (struct trace_object){.address = address, .name = trace_copy(trace, name)};
    trace_sort(trace);
}

void names_know_op(struct names *names, const struct op *op) {
    enum op_class class = op_info(op->kind)->class;
    if (class != CLASS_MEMORY && class != CLASS_OBJECT)
        return;
    know_object(names, op->object);
    know_object(names, op->object2);
}
