/* step.c - the steps of machines, on fibers of their own.
 *
 * A step begins on an empty stack, unless the machine waits in the middle of an action. It ends
 * with a switch to the engine, which decides who moves next. Creations are in create.c,
 * deliveries in deliver.c. */
#include "substrates/native/machines/step.h"

#include <string.h>

#include "substrates/native/machines/machines.h"
#include "substrates/native/system.h"
#include "substrates/native/tasks/fiber.h"
#include "substrates/native/tasks/operation.h"
#include "substrates/native/tasks/stack_room.h"

enum {
    BELOW_RECEIVE = 1024,
    OWN_FRAMES = 1664,
    STEP_MARGIN = 1536,
    ENGINE_MARGIN = 12 << 10,
};

struct reaction *reacting;

static bool has_left;

bool machine_has_left(void) {
    bool left = has_left;
    has_left = false;
    if (left)
        slots_settle();
    return left;
}

void machine_leave(struct slot *slot) {
    has_left = true;
    slot_touch(slot);
    fiber_leave((void **)&slot->context);
}

/* --- steps ---------------------------------------------------------------------------------- */

void machine_react_from(struct slot *slot, struct reaction *reaction) {
    machine_asked_at = 0; /* the last call may have been wrong, and not returned */
    reaction->machine = &slot->machine;
    reaction->memory = slot->memory;
    reaction->wrong = machine_reaction_wrong;
    reaction->then = THEN_NOTHING;
    reaction->raises = reaction->moves = 0;
    reaction->event = NULL;
    reaction->sender = reaction->receiver = 0;
    reacting = reaction;
}

/* Clears the stack below, before the program's own code runs. The old content must not tell what
 * came before, neither by the program nor by us: it would show in the padding of structs, and in
 * saved registers. This is inline, because a call would leave something there itself. */
static inline __attribute__((always_inline)) void wipe_below(struct task *task, uint64_t margin) {
    uint64_t here = read_sp(),
             low = (task->fiber.stack_low < here ? task->fiber.stack_low : here) - margin;
    low &= ~(uint64_t)7;
    uint64_t words = (here - low) / 8;
    __asm__ volatile("rep stosq" : "+D"(low), "+c"(words) : "a"(0) : "memory");
    task->fiber.stack_low = here;
}

/* The search has run on the engine's stack, so little has to be cleared. */
void machine_has_chosen(struct task *task) {
    wipe_below(task, STEP_MARGIN);
}

/* The search may have run on this stack. */
void machine_goes_on(struct task *task) {
    wipe_below(task, ENGINE_MARGIN);
}

/* The top of the machine's stack, where our own functions will stand, is empty, and so are the
 * registers with which it begins. Those functions clear what lies below. */
void machine_begin_reaction(struct task *task) {
    uint64_t top = slot_stack_top((uint32_t)(task - task_table));
    memset((void *)(top - OWN_FRAMES), 0, OWN_FRAMES);
    fiber_start_machine(task, top);
}

/* The program's own code begins here. */
static inline __attribute__((always_inline)) void begin_program(struct task *task) {
    wipe_below(task, STEP_MARGIN);
    CHECK(task->fiber.stack_low >= slot_stack_top(task->id) - OWN_FRAMES);
}

/* A bit for each event behind the one that is taken: whether the machine would have taken it as
 * well. */
static uint32_t matches_behind(struct slot *slot) {
    uint32_t bits = 0, place = 0;
    const struct message *message = (struct message *)(slot_queue(slot) + slot->take);
    uint32_t at = slot->take + (uint32_t)sizeof *message + message->size;
    for (; place < 32 && at < slot->queue_bytes; place++) {
        message = (struct message *)(slot_queue(slot) + at);
        bits |= (uint32_t)slot_takes(slot, message->event) << place;
        at += (uint32_t)sizeof *message + message->size;
    }
    return bits;
}

/* Takes the next event: *message, with its payload in `payload`. Not inlined, because the
 * caller's frame is part of the state, and the number of the event is not. */
static __attribute__((noinline)) void take(struct task *task, struct slot *slot,
                                           struct machine_message *message, void *payload) {
    struct event *event = begin_event(task);
    uint32_t number;
    if (task->op.by_predicate)
        event->op.also_fits = matches_behind(slot);
    slot_take(slot, message, payload, &number);
    event->number = machine_event_number(number);
    event->op.message = (uint64_t)message->event;
    machine_note(event, "%s from %s %u in state %s", message->event->name,
                 machine_type_name(message->sender), message->sender,
                 machine_state_name(&slot->machine));
    happened(event);
}

static void take_and_react(struct task *task, struct slot *slot) {
    _Alignas(16) char payload[MACHINE_PAYLOAD_MAX];
    struct machine_message message;
    struct reaction reaction;
    take(task, slot, &message, payload);
    begin_program(task);
    machine_react_from(slot, &reaction);
    reaction.sender = message.sender;
    reaction_to(&reaction, message.event, payload);
    reacting = NULL;
    if (slot->machine.halted)
        machine_halts(slot);
}

static bool anybody_receives(void) {
    for (uint32_t i = 0; i < live_tasks.count; i++)
        if (slot_of(live_tasks.ids[i])->context != 0 ||
            slot_of(live_tasks.ids[i])->outbox_bytes != 0)
            return true;
    return false;
}

/* If all machines wait for events and none is on its way, this is an end, not a deadlock. */
void machine_look_for_end(void) {
    slots_settle();
    if (fresh_tasks.settled < fresh_tasks.count || !machines_stand() || anybody_receives())
        return;
    monitors_end();
    slots_halt_idle();
    slots_settle(); /* the final memory of monitors belongs to the last state */
    progress.outcome = OUTCOME_ENDED;
}

static void start(struct task *task, struct slot *slot) {
    struct reaction reaction;
    slot_touch(slot);
    begin_program(task);
    machine_react_from(slot, &reaction);
    reaction_start(&reaction);
    reacting = NULL;
    if (slot->machine.halted)
        machine_halts(slot);
}

/* The engine decides who moves next. If it is the same machine, its stack is cleared. */
_Noreturn void machine_end_step(void) {
    reacting = NULL;
    machine_look_for_end();
    has_left = true;
    fiber_return();
}

void machine_main(struct task *task) {
    struct slot *slot = task->machine;
    bool fresh = slot->machine.depth == 0 && !slot->machine.halted;
    reacting = NULL;
    if (fresh)
        start(task, slot);
    else if (slot->outbox_bytes != 0)
        machine_deliver(task, slot);
    else
        take_and_react(task, slot);
    machine_end_step();
}

/* --- waiting within an action --------------------------------------------------------------- */

static void want(struct slot *slot, const struct machine_event *const *events, uint64_t pc) {
    uint32_t count = 0;
    for (; events[count] != NULL; count++) {
        if (count == WANTED_MAX)
            machine_refuse("machine_receive", pc, "of more than 8 events");
        slot->wanted[count] = events[count];
    }
    memset(slot->wanted + count, 0, (WANTED_MAX - count) * sizeof *slot->wanted);
}

void machine_wait(struct task *task, const struct machine_event *const *events,
                  struct machine_message *message, void *payload, uint64_t pc) {
    struct slot *slot = task->machine;
    struct reaction *reaction = reacting;
    want(slot, events, pc);
    machine_leave(slot);
    rt.current = NULL;
    take(task, slot, message, payload);
    machine_goes_on(task);
    slot->context = 0;
    reacting = reaction;
}

void machine_prepare(struct task *task) {
    struct slot *slot = task->machine;
    if (slot->context == 0) {
        task->calls.depth = 0;
        if (slot->outbox_bytes != 0)
            fiber_start_machine(task, slot_stack_top(task->id));
        else
            machine_begin_reaction(task);
    } else if (slot->outbox_bytes != 0 && slot_outbox(slot)->kind != OUTGOING_CREATE) {
        fiber_start_machine(task, slot->context - BELOW_RECEIVE);
    } else {
        task->fiber.context = (void *)slot->context;
    }
}
