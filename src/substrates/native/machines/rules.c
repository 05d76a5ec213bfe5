/* rules.c - what a machine must not do, and how a breach of these rules is reported. A machine
 * shares nothing with others but events. It has no memory but its own struct, and makes no
 * operation but a choice. */
#include <stdarg.h>
#include <stdio.h>

#include "engine/session.h"
#include "substrates/native/machines/machines.h"
#include "substrates/native/machines/step.h"
#include "substrates/native/memory/heap.h"
#include "substrates/native/program/code.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/outcome.h"
#include "substrates/native/tasks/stack_room.h"
#include "substrates/native/tasks/task.h"

enum { TEXT_MAX = 200 };

uint64_t machine_asked_at;

/* --- reports -------------------------------------------------------------------------------- */

/* Returns the task that runs. While our own code runs for a task, rt.current is NULL, and only the
 * session knows the task. */
static struct task *running(void) {
    return rt.current != NULL ? rt.current : task_at(rt.session->live.process.running);
}

_Noreturn void machine_wrong(enum finding_kind kind, uint64_t pc, const char *format, ...) {
    struct task *task = running();
    char text[TEXT_MAX];
    va_list list;
    rt.current = NULL;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    rt.current = task;
    found(task, kind, 0, pc, "%s", text);
}

_Noreturn void machine_refuse(const char *call, uint64_t pc, const char *why) {
    rt.current = running();
    unsupported(call, pc, why);
}

/* Returns the place to report: the program's call that asks something of the reaction or, outside
 * of such a call, the type of the machine. The call records of the task may know a closer place,
 * but they are no part of a machine's state: the same state could then give different reports. */
static uint64_t place_of(const struct reaction *reaction) {
    return machine_asked_at != 0 ? machine_asked_at : (uint64_t)reaction->machine->table->type + 1;
}

void machine_reaction_wrong(struct reaction *reaction, enum machine_wrong kind, const char *text) {
    machine_wrong(kind == MACHINE_UNHANDLED ? FINDING_UNHANDLED : FINDING_MACHINE,
                  place_of(reaction), "%s", text);
}

/* --- rules ---------------------------------------------------------------------------------- */

struct event *machine_performs(struct task *task) {
    if (task->op.kind == OP_CHOOSE && reacting != NULL &&
        !reacting->machine->table->type->monitor) {
        struct event *event = begin_event(task);
        event->flags = EVENT_NESTED;
        return event;
    }
    machine_wrong(FINDING_MACHINE, task->op.pc,
                  "%s in a machine: machines share nothing but events",
                  op_info(task->op.kind)->name);
}

static bool within(uint64_t address, uint32_t size, const void *start, uint64_t length) {
    return address - (uint64_t)start <= length && address + size - (uint64_t)start <= length;
}

void machine_access(struct task *task, uint64_t address, uint32_t size, bool write, uint64_t pc) {
    struct slot *slot = task->machine;
    if (own_stack(task, address) ||
        within(address, size, reacting != NULL ? reacting->memory : slot->memory,
               reacting != NULL ? reacting->machine->table->type->size
                                : slot->machine.table->type->size))
        return;
    if (write)
        machine_wrong(FINDING_MACHINE, pc,
                      "a machine writes to memory that is not its own, at address 0x%llx",
                      (unsigned long long)address);
    if (address - MACHINE_BASE < MACHINE_SLOTS * MACHINE_SLOT)
        machine_wrong(FINDING_MACHINE, pc, "a machine reads the memory of another one");
    if (in_heap(address))
        heap_check(task, address, size, write, pc);
}

void machine_allocates(uint64_t pc) {
    if (in_range(&code_ranges.program, pc))
        machine_wrong(FINDING_MACHINE, pc,
                      "a machine allocates memory: it may only remember its struct");
}

void machine_asks_for(const char *what) {
    machine_wrong(FINDING_MACHINE, place_of(reacting), "%s in a machine: use heddle_choose instead",
                  what);
}
