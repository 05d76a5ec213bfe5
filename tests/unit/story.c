/* story.c - see story.h. */
#include "story.h"

void story_begin(struct trace *trace, uint32_t tasks) {
    trace_init(trace);
    for (uint32_t i = 0; i < tasks; i++) {
        struct trace_task *task = TRACE_ADD(trace->tasks, trace->task_count);
        *task = (struct trace_task){.parent = i ? 0 : NO_TASK, .child = i, .function = ""};
    }
}

uint32_t tell(struct trace *trace, uint32_t task, enum op_kind kind, uint64_t object) {
    struct event *event = TRACE_ADD(trace->events, trace->event_count);
    *event = (struct event){.task = task, .op = {.kind = kind, .size = 4, .object = object}};
    if (kind == OP_SEND || op_receives(kind))
        event->op.size = 0;
    return trace->event_count - 1;
}

void tell_message(struct trace *trace, uint64_t number) {
    trace->events[trace->event_count - 1].result = number;
}
