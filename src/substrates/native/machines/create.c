/* create.c - a machine creates another one.
 *
 * The number of a new machine says how many were created before it, so it is known only when the
 * creation happens. So the creation is a step of its own: the machine stands before it in the
 * middle of an action, and goes on with the number afterwards. The new machine enters its first
 * state within the same step, on its own stack. */
#include <string.h>

#include "engine/session.h"
#include "substrates/native/machines/step.h"
#include "substrates/native/tasks/fiber.h"
#include "substrates/native/tasks/operation.h"

enum { TYPES_MAX = 128, TEXT_MAX = 200 };

/* --- types ---------------------------------------------------------------------------------- */

const struct machine_table *machine_table_of(const struct machine_type *type, uint64_t pc) {
    static struct machine_table tables[TYPES_MAX];
    static uint32_t count;
    char text[TEXT_MAX];
    struct task *task = rt.current;
    for (uint32_t i = 0; i < count; i++)
        if (tables[i].type == type)
            return &tables[i];
    if (count == TYPES_MAX)
        machine_refuse("machine_create", pc, "more than 128 types of machines");
    rt.current = NULL;
    bool good = machine_table_fill(&tables[count], type, text, sizeof text);
    rt.current = task;
    if (!good)
        machine_wrong(FINDING_MACHINE, pc, "%s", text);
    return &tables[count++];
}

/* --- the creation --------------------------------------------------------------------------- */

static uint32_t name(struct slot *parent, const struct machine_type *type, uint64_t pc) {
    uint32_t id = task_number(parent->id, parent->children++, (uint64_t)type, pc);
    if (id == NO_TASK)
        machine_refuse("machine_create", pc, "more machines than --max-tasks allows");
    return id;
}

/* The new machine enters its first state on its own stack, as part of this step. */
static void make_machine(uint32_t id, const struct machine_table *table, const void *memory) {
    struct task *task = task_at(id);
    CHECK(task->state == TASK_UNUSED);
    fiber_prepare_machine(task);
    slot_begin(slot_of(id), table, memory);
    task->id = id;
    task->machine = slot_of(id);
    task->state = TASK_FRESH;
    if (task->fiber.stack_low == 0) /* otherwise another machine was here, in a state before */
        task->fiber.stack_low = slot_stack_top(id);
    machine_begin_reaction(task);
    task_insert_live(id);
    fresh_tasks.ids[fresh_tasks.count++] = id;
    rt.session->result.observed.threads = true;
}

/* The machine stands before the creation, in the middle of an action. */
static void stand_to_create(struct slot *slot, const struct machine_type *type, const void *memory,
                            uint64_t pc) {
    struct outgoing *creation = slot_send(slot, type->size);
    creation->kind = OUTGOING_CREATE;
    creation->pc = pc;
    creation->what = type;
    creation->to = name(slot, type, pc);
    memcpy(creation->payload, memory, type->size);
    memset(slot->wanted, 0, sizeof slot->wanted);
    machine_leave(slot);
    rt.current = NULL;
}

/* Machines may have sent events to this number before the machine existed. They wait for this. */
static void tell_guessers(uint32_t number) {
    for (uint32_t i = 0; i < live_tasks.count; i++) {
        struct slot *slot = slot_of(live_tasks.ids[i]);
        if (slot->outbox_bytes != 0 && slot_outbox(slot)->to == number)
            slot_touch(slot);
    }
}

/* The first entry of the outbox is the creation. Returns the number of the new machine. */
static uint32_t create(struct task *task, struct slot *slot) {
    const struct outgoing *creation = slot_outbox(slot);
    struct event *event = begin_event(task);
    uint32_t id = creation->to;
    event->op.target = id;
    event->child = id;
    happened(event);
    make_machine(id, machine_table_of(creation->what, creation->pc), creation->payload);
    slot_of(id)->number = machine_numbers_by_order() ? slots_numbered() + 1 : id;
    tell_guessers(slot_of(id)->number);
    slot_sent(slot);
    return slot_of(id)->number;
}

uint32_t machine_make(struct task *task, const struct machine_type *type, const void *memory,
                      uint64_t pc) {
    struct slot *slot = task->machine;
    struct reaction *reaction = reacting;
    stand_to_create(slot, type, memory, pc);
    uint32_t number = create(task, slot);
    machine_goes_on(task);
    slot->context = 0;
    reacting = reaction;
    return number;
}

/* A machine stands for main: it creates the first machine, and is gone. */
void machine_begin_first(struct task *task, const struct machine_table *table, const void *memory,
                         uint64_t pc) {
    static const struct machine_type type = {.name = "main"};
    static const struct machine_table main_table = {.type = &type};
    struct slot *slot = slot_of(task->id);
    slot_begin(slot, &main_table, "");
    slot->machine.halted = true;
    task->machine = slot;
    stand_to_create(slot, table->type, memory, pc);
    create(task, slot);
    slot_halt(slot);
    machine_end_step();
}
