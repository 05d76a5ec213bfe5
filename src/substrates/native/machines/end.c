/* end.c - how an action ends, if it does not just return: its machine halts, the program exits,
 * an assumption does not hold, or something is wrong.
 *
 * Events that the action has sent before come first, each in a step of its own, with steps of
 * other machines in between. So the end is the last entry of the outbox. The machine takes no
 * event any more. Events that are sent to it meanwhile wait in its queue, as long as there is
 * room.
 *
 * A halt is a step of its own if another machine can tell: once an event waits
 * (slot_halts_idly), or always with --halted=report. An exit is a step of its own, too. A false
 * assumption is none: the machine stands before it for good, as a thread does. A finding is a
 * step of its own if the action has sent anything, or if this step creates the machine.
 * Otherwise the finding belongs to the step in which the action began, as with threads. */
#include <stddef.h>
#include <string.h>

#include "engine/session.h"
#include "substrates/native/machines/machine.h"
#include "substrates/native/machines/machines.h"
#include "substrates/native/program/process.h"
#include "substrates/native/system.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"

bool machine_acts(const struct task *task) {
    return task->machine != NULL && reacting != NULL && !reacting->machine->table->type->monitor;
}

static void add_end(struct slot *slot, enum outgoing_kind kind, const void *payload, size_t size,
                    uint64_t pc) {
    struct outgoing *end = slot_send(slot, size);
    end->kind = (uint16_t)kind;
    end->pc = pc;
    if (size > 0)
        memcpy(end->payload, payload, size);
    slot_finish(slot);
}

void machine_halts(struct slot *slot) {
    add_end(slot, OUTGOING_HALT, NULL, 0, (uint64_t)slot->machine.table->type + 1);
}

/* Exit handlers are not run: they would change memory that is not put back with a state. */
void machine_exits(struct task *task, int status, uint64_t pc) {
    rt.current = NULL;
    if (exit_handlers.all > 0)
        noted("exit", "in a machine: handlers of atexit are not run", pc);
    add_end(task->machine, OUTGOING_EXIT, &status, sizeof status, pc);
    machine_end_step();
}

void machine_stops(struct task *task, uint64_t pc) {
    rt.current = NULL;
    add_end(task->machine, OUTGOING_STOP, NULL, 0, pc);
    machine_end_step();
}

void machine_postpone(const struct finding *finding) {
    const struct task *task = task_at(finding->task);
    bool own_step = progress.moved == finding->task && fresh_tasks.settled == fresh_tasks.count;
    if (!machine_acts(task) || (own_step && task->machine->outbox_bytes == 0))
        return;
    add_end(task->machine, OUTGOING_FINDING, finding, offsetof(struct finding, waits),
            finding->stacks[0].pc);
    machine_end_step();
}

/* --- the end is due ------------------------------------------------------------------------- */

static bool halts_only_if_seen(void) {
    return rt.session->request.options.halted != HALTED_REPORT;
}

void machine_publish_end(struct slot *slot, const struct outgoing *end) {
    struct op *op = &task_at(slot->id)->op;
    *op = (struct op){.pc = end->pc};
    if (end->kind == OUTGOING_HALT) {
        op->kind = OP_HALT;
        op->message_flags = MESSAGE_MACHINE | (halts_only_if_seen() ? MESSAGE_WAITS : 0);
        op->object = (uint64_t)slot;
        op->type_name = (uint64_t)slot->machine.table->type->name;
    } else if (end->kind == OUTGOING_EXIT) {
        op->kind = OP_EXIT;
        op->target = NO_TASK;
        op->value = (uint64_t) * (const int *)end->payload;
    } else if (end->kind == OUTGOING_FINDING) {
        op->kind = OP_FAIL;
        op->value = ((const struct finding *)end->payload)->kind;
    } else {
        op->kind = OP_ASSUME;
    }
}

bool machine_end_ready(const struct slot *slot, const struct outgoing *end) {
    if (end->kind == OUTGOING_HALT)
        return slot->queue_count > 0 || !halts_only_if_seen();
    return end->kind != OUTGOING_STOP;
}

static _Noreturn void report(const struct outgoing *end) {
    struct finding finding = {0};
    memcpy(&finding, end->payload, end->size);
    found_with(&finding);
}

void machine_deliver_end(struct slot *slot, const struct outgoing *end, struct event *event) {
    struct task *task = task_at(slot->id);
    happened(event);
    if (end->kind == OUTGOING_HALT) {
        slot_halt(slot);
    } else if (end->kind == OUTGOING_EXIT) {
        process_flush();
        process_is_over(task, *(const int *)end->payload, end->pc);
    } else {
        report(end);
    }
}
