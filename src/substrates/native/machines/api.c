/* api.c - the calls of heddle/machine.h. Without a session they go to production
 * (machines/production.h). */
#include <string.h>

#include "engine/session.h"
#include "machines/production.h"
#include "substrates/native/interpose.h"
#include "substrates/native/machines/machine.h"
#include "substrates/native/native.h"
#include "substrates/native/tasks/outcome.h"

/* --- main ----------------------------------------------------------------------------------- */

EXPORT void machine_watch_at(const struct machine_type *type, const void *memory) {
    struct task *task = rt.current;
    if (task == NULL) {
        production_watch(type, memory);
        return;
    }
    const struct machine_table *table = machine_table_of(type, CALLER_ADDRESS);
    if (!type->monitor)
        machine_wrong(FINDING_MACHINE, CALLER_ADDRESS, "%s is a machine, not a monitor",
                      type->name);
    rt.current = NULL;
    monitors_add(table, memory, CALLER_ADDRESS);
    rt.current = task;
}

EXPORT int machine_start_at(const struct machine_type *type, const void *memory) {
    struct task *task = rt.current;
    uint64_t pc = CALLER_ADDRESS;
    if (task == NULL)
        return production_start(type, memory);
    if (live_tasks.count > 1)
        unsupported("machine_start", pc, "machines and threads in one program");
    const struct machine_table *table = machine_table_of(type, pc);
    native_system.ops = &machine_ops;
    rt.session->result.observed.machines = true;
    monitors_start();
    rt.current = NULL;
    machine_begin_first(task, table, memory, pc);
    return 0;
}

/* --- actions -------------------------------------------------------------------------------- */

/* The slot of the machine that runs, for a call that only machines may make, and not monitors. */
static struct slot *acting(struct task *task, const char *call, uint64_t pc) {
    if (task->machine == NULL || reacting == NULL)
        machine_wrong(FINDING_MACHINE, pc, "%s is for actions of machines", call);
    if (reacting->machine->table->type->monitor)
        machine_wrong(FINDING_MACHINE, pc, "%s in monitor %s, which may only look on", call,
                      reacting->machine->table->type->name);
    return task->machine;
}

static void check_payload(const struct machine_event *event, size_t size, uint64_t pc) {
    machine_asked_at = pc;
    reaction_check_payload(reacting, event, size);
    machine_asked_at = 0;
}

#define TOO_MUCH "one action sends more than 32 KiB"

static struct outgoing *send_out(struct slot *slot, enum outgoing_kind kind, const void *what,
                                 const void *payload, size_t size, uint64_t pc) {
    if (!slot_has_room(slot, size))
        machine_refuse("machine_send", pc, TOO_MUCH);
    struct outgoing *outgoing = slot_send(slot, size);
    outgoing->kind = kind;
    outgoing->what = what;
    outgoing->pc = pc;
    memcpy(outgoing->payload, payload, size);
    return outgoing;
}

EXPORT machine_id machine_create_at(const struct machine_type *type, const void *memory) {
    struct task *task = rt.current;
    uint64_t pc = CALLER_ADDRESS;
    if (task == NULL)
        return production_create(type, memory);
    struct slot *slot = acting(task, "machine_create", pc);
    machine_table_of(type, pc); /* this checks the table */
    if (type->monitor)
        machine_wrong(FINDING_MACHINE, pc, "%s is a monitor: machine_watch", type->name);
    if (!slot_has_room(slot, type->size))
        machine_refuse("machine_create", pc, TOO_MUCH);
    rt.current = NULL;
    uint32_t number = machine_make(task, type, memory, pc);
    rt.current = task;
    return number;
}

EXPORT void machine_send_at(const struct machine_channel *channel, machine_id to,
                            const struct machine_event *event, const void *payload, size_t size) {
    struct task *task = rt.current;
    uint64_t pc = CALLER_ADDRESS;
    if (task == NULL) {
        production_send(channel, to, event, payload, size);
        return;
    }
    struct slot *slot = acting(task, "machine_send", pc);
    check_payload(event, size, pc);
    if (to == 0 ||
        to >=
            SESSION_TASKS_MAX) /* a machine that does not exist yet is looked for at the delivery */
        machine_wrong(FINDING_MACHINE, pc, "event %s is sent to machine %u, which does not exist",
                      event->name, to);
    rt.current = NULL;
    struct outgoing *outgoing = send_out(slot, OUTGOING_SEND, event, payload, size, pc);
    outgoing->to = to;
    if (channel != NULL)
        outgoing->channel = *channel;
    rt.current = task;
}

EXPORT void machine_announce_at(const struct machine_event *event, const void *payload,
                                size_t size) {
    struct task *task = rt.current;
    uint64_t pc = CALLER_ADDRESS;
    if (task == NULL) {
        production_announce(event, payload, size);
        return;
    }
    struct slot *slot = acting(task, "machine_announce", pc);
    check_payload(event, size, pc);
    if (monitors_of(event) == 0)
        return;
    rt.current = NULL;
    send_out(slot, OUTGOING_ANNOUNCE, event, payload, size, pc);
    rt.current = task;
}

/* The number of the machine that is this task. Task 0 is main, or stands for no machine. */
static machine_id number_of(uint32_t task) {
    return task != 0 ? slot_of(task)->number : 0;
}

EXPORT const struct machine_message *machine_receive_at(const struct machine_event *const *events) {
    struct task *task = rt.current;
    uint64_t pc = CALLER_ADDRESS;
    if (task == NULL)
        return production_receive(events);
    acting(task, "machine_receive", pc);
    rt.current = NULL;
    machine_wait(task, events, &reacting->message, reacting->received, pc);
    reacting->message.sender = number_of(reacting->message.sender);
    rt.current = task;
    return &reacting->message;
}

static struct reaction *reaction_of(const char *call, uint64_t pc) {
    if (reacting == NULL)
        machine_wrong(FINDING_MACHINE, pc, "%s is for actions of machines", call);
    return reacting;
}

EXPORT void machine_raise_at(const struct machine_event *event, const void *payload, size_t size) {
    struct task *task = rt.current;
    if (task == NULL) {
        production_raise(event, payload, size);
        return;
    }
    struct reaction *reaction = reaction_of("machine_raise", CALLER_ADDRESS);
    machine_asked_at = CALLER_ADDRESS;
    reaction_raise(reaction, event, payload, size);
    machine_asked_at = 0;
}

static void ask_move(enum machine_then how, const char *state, const char *call, uint64_t pc) {
    if (rt.current == NULL) {
        production_move(how, state);
        return;
    }
    struct reaction *reaction = reaction_of(call, pc);
    machine_asked_at = pc;
    reaction_move(reaction, how, state);
    machine_asked_at = 0;
}

EXPORT void machine_goto(const char *state) {
    ask_move(THEN_GOTO, state, "machine_goto", CALLER_ADDRESS);
}
EXPORT void machine_push(const char *state) {
    ask_move(THEN_PUSH, state, "machine_push", CALLER_ADDRESS);
}
EXPORT void machine_pop(void) {
    ask_move(THEN_POP, NULL, "machine_pop", CALLER_ADDRESS);
}
EXPORT void machine_halt(void) {
    ask_move(THEN_HALT, NULL, "machine_halt", CALLER_ADDRESS);
}

EXPORT machine_id machine_self(void) {
    return rt.current == NULL ? production_self() : number_of(rt.current->id);
}
EXPORT machine_id machine_sender(void) {
    if (rt.current == NULL)
        return production_sender();
    return reacting != NULL ? number_of(reacting->sender) : 0;
}
EXPORT machine_id machine_receiver(void) {
    if (rt.current == NULL)
        return production_receiver();
    return reacting != NULL ? number_of(reacting->receiver) : 0;
}
