/* describe.c - see describe.h.
 *
 * Values are shown as the reader of the source would write them: small negative ones as such (their
 * type is not known, their size is), large ones in hexadecimal. */
#include "reports/describe.h"

#include <inttypes.h>
#include <string.h>

#include "reports/utf8.h"
#include "event/object.h"
#include "execution/waits.h"

void describe_text(const char *text, FILE *out) {
    while (*text != '\0') {
        uint32_t character = utf8_next(&text);
        bool control = character < 0x20 || (character >= 0x7f && character < 0xa0);
        utf8_put(control ? ' ' : character, out);
    }
}

void describe_task(const struct trace *trace, uint32_t task, FILE *out) {
    if (task == NO_TASK) {
        fputs("nobody", out);
        return;
    }
    fprintf(out, "T%" PRIu32, task);
    if (task < trace->task_count && trace->tasks[task].function[0]) {
        fputs(" (", out);
        describe_text(trace->tasks[task].function, out);
        fputc(')', out);
    }
}

void describe_object(const struct trace *trace, uint64_t address, FILE *out) {
    const char *name = trace_object_name(trace, address);
    if (name != NULL)
        describe_text(name, out);
    else
        fprintf(out, "0x%" PRIx64, object_address(address));
    if (name == NULL && object_space(address) != 0)
        fprintf(out, " in process %" PRIu32, object_space(address));
}

static void describe_value(uint64_t value, uint32_t size, FILE *out) {
    enum { SMALL = 4096 };
    uint64_t mask = size > 0 && size < 8 ? ((uint64_t)1 << (8 * size)) - 1 : UINT64_MAX;
    value &= mask;
    if (size > 1 && value > mask - SMALL)
        fprintf(out, "-%" PRIu64, mask - value + 1);
    else if (value > UINT32_MAX)
        fprintf(out, "0x%" PRIx64, value);
    else
        fprintf(out, "%" PRIu64, value);
}

static void describe_order(const struct op *op, FILE *out) {
    static const char *const names[] = {
        [ORDER_RELAXED] = "relaxed", [ORDER_CONSUME] = "consume", [ORDER_ACQUIRE] = "acquire",
        [ORDER_RELEASE] = "release", [ORDER_ACQ_REL] = "acq_rel",
    };
    if (op_has_order(op->kind) && op->order < ORDER_SEQ_CST)
        fprintf(out, ", %s", names[op->order]);
}

static void describe_modification(const struct event *event, FILE *out) {
    static const char *const signs[MODIFICATIONS] = {
        [MODIFY_EXCHANGE] = ":= ", [MODIFY_ADD] = "+= ", [MODIFY_SUB] = "-= ",
        [MODIFY_AND] = "&= ",      [MODIFY_OR] = "|= ",  [MODIFY_XOR] = "^= ",
        [MODIFY_NAND] = "nand= ",
    };
    uint32_t how = event->op.modification;
    fprintf(out, " %s", how > 0 && how < MODIFICATIONS ? signs[how] : "");
    describe_value(event->op.value, event->op.size, out);
    fputs(", was ", out);
    describe_value(event->result, event->op.size, out);
}

/* The word of a futex is compared, and never written. */
static void describe_futex(const struct event *event, FILE *out) {
    const struct op *op = &event->op;
    if (op->kind == OP_FUTEX_WAIT) {
        fputs(" = ", out);
        describe_value(event->result, op->size, out);
        if (event->flags & EVENT_FAILED) {
            fputs(", not ", out);
            describe_value(op->expected, op->size, out);
        }
    } else if (op->kind == OP_FUTEX_WAKE && event->woken == 0) {
        fputs(", wakes nobody", out);
    } else if (op->kind == OP_FUTEX_WAKE) {
        fprintf(out, ", wakes %" PRIu64 " task%s", event->woken, event->woken == 1 ? "" : "s");
    }
}

static void describe_access(const struct event *event, FILE *out) {
    const struct op *op = &event->op;
    enum op_subject about = op_info(op->kind)->about;
    if (about == ABOUT_PLAIN ||
        about == ABOUT_VOLATILE) /* the access comes behind the event, which knows no value */
        return;
    if (op->kind == OP_CAS) {
        fputs(": was ", out);
        describe_value(event->result, op->size, out);
        if (!(event->flags & EVENT_FAILED)) {
            fputs(", now ", out);
            describe_value(op->desired, op->size, out);
        }
    } else if (op->kind == OP_RMW) {
        describe_modification(event, out);
    } else if (about == ABOUT_FUTEX) {
        describe_futex(event, out);
    } else {
        bool write = op_info(op->kind)->effect == EFFECT_WRITE;
        fputs(write ? " := " : " = ", out);
        describe_value(write ? op->value : event->result, op->size, out);
    }
}

static void describe_outcome(const struct trace *trace, const struct event *event, FILE *out) {
    const struct op *op = &event->op;
    if (op_info(op->kind)->class == CLASS_MEMORY) {
        describe_access(event, out);
    } else if (op->kind == OP_COND_SIGNAL) {
        fputs(", wakes ", out);
        describe_task(trace, event->woken ? (uint32_t)(event->woken - 1) : NO_TASK, out);
    } else if (op->kind == OP_CHOOSE) {
        fprintf(out, "(%" PRIu64 ") = %" PRIu64, op->choices, event->result);
    } else if (op->kind == OP_CREATE) {
        fputc(' ', out);
        describe_task(trace, (uint32_t)event->child, out);
    } else if (op->kind == OP_EXIT) {
        fprintf(out, "(%d)", (int)op->value);
    }
}

void describe_op(const struct trace *trace, const struct op *op, FILE *out) {
    const struct op_info *info = op_info(op->kind);
    fputs(info->name, out);
    if ((info->class == CLASS_MEMORY || info->class == CLASS_OBJECT) && op->object) {
        fputc(' ', out);
        describe_object(trace, op->object, out);
    }
    if (op->kind == OP_COND_WAIT && op->mutex) {
        fputs(", releases ", out);
        describe_object(trace, op->mutex, out);
    }
    if (op_has(op->kind, NAMES_TASK)) { /* a create names the task that it made */
        fputc(' ', out);
        describe_task(trace, op->target, out);
    }
}

void describe_event(const struct trace *trace, const struct event *event, FILE *out) {
    if (event->flags & EVENT_NESTED)
        fputs(". ", out);
    if (event->flags & EVENT_NOTE) {
        fputs(event->flags & EVENT_HINT ? "hint: " : "note: ", out);
        describe_text(event->note ? trace->notes[event->note - 1] : "", out);
        return;
    }
    if (event->note != 0) {
        fprintf(out, "%s ", op_info(event->op.kind)->name);
        describe_text(trace->notes[event->note - 1], out);
        return;
    }
    describe_op(trace, &event->op, out);
    describe_outcome(trace, event, out);
    describe_order(&event->op, out);
    if (event->flags & EVENT_TIMED_OUT)
        fputs(": timed out", out);
    else if (event->flags & EVENT_FAILED)
        fputs(": failed", out);
    if (event->flags & EVENT_IDLE)
        fputs("; waits", out);
}

void describe_wait(const struct trace *trace, const struct finding_wait *wait, FILE *out) {
    const struct op *op = &wait->op;
    bool sends = op_info(op->kind)->act == ACT_SEND;
    const char *what = sends ? NULL : op_subject(op->kind)->waited_for;
    uint64_t object = op->object;
    if (op_joins(op->kind)) {
        describe_task(trace, op->target, out);
        fputs(" to end", out);
        return;
    }
    /* The task was woken, and waits for the mutex (the second object), which another task holds. */
    if (op->kind == OP_COND_WAKE && wait->holder != NO_TASK) {
        what = op_subjects[ABOUT_MUTEX].waited_for;
        object = op->mutex;
    }
    fputs(what ? what : op_info(op->kind)->name, out);
    if (object) {
        fputs(" `", out);
        describe_object(trace, object, out);
        fputc('`', out);
    }
}

void describe_waiting(const struct trace *trace, const struct finding_wait *wait, FILE *out) {
    fputs("waits for ", out);
    describe_wait(trace, wait, out);
    if (wait->holder != NO_TASK && wait->op.kind != OP_JOIN) {
        fputs(" held by ", out);
        describe_task(trace, wait->holder, out);
    }
}

void describe_cycle(const struct trace *trace, const struct finding_wait *first, const char *link,
                    FILE *out) {
    const struct finding_wait *wait = first;
    describe_task(trace, first->task, out);
    fputc(' ', out);
    do {
        describe_waiting(trace, wait, out);
        wait = waits_of(&trace->finding, wait->holder);
        fputs(wait == first ? "" : link, out);
    } while (wait != first);
}

void describe_place(const struct trace *trace, uint32_t number, FILE *out) {
    const struct finding *finding = &trace->finding;
    const struct finding_stack *stack = &finding->stacks[number];
    fputs(finding_info(finding->kind)->races && number > 0 ? "previous " : "", out);
    describe_text(stack->title[0] ? stack->title : finding_info(finding->kind)->title, out);
    if (stack->task != NO_TASK) {
        fputs(" by ", out);
        describe_task(trace, stack->task, out);
    }
}

void describe_line(const struct trace *trace, uint32_t stack, const char *file, FILE *out) {
    const struct trace_frame *frame = trace_place(trace, stack);
    if (frame == NULL || frame->file[0] == '\0')
        return;
    if (strcmp(frame->file, file) != 0) {
        describe_text(trace_basename(frame->file), out);
        fputc(':', out);
    }
    fprintf(out, "%" PRIu32 ": ", frame->line);
}

void describe_finding(const struct trace *trace, FILE *out) {
    const struct finding *finding = &trace->finding;
    fputs(finding_info(finding->kind)->title, out);
    if (finding->object) {
        fputs(" on `", out);
        describe_object(trace, finding->object, out);
        fputc('`', out);
    }
    if (finding->text[0]) {
        fputs(": ", out);
        describe_text(finding->text, out);
    }
}

void describe_sentence(const struct trace *trace, FILE *out) {
    const struct finding_wait *cycle = waits_cycle(&trace->finding);
    describe_finding(trace, out);
    if (cycle != NULL) {
        fputs(": ", out);
        describe_cycle(trace, cycle, ", which ", out);
    }
}
