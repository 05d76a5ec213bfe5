/* machine_step.c - what machines do, one step at a time, on fibers of their own. */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "substrates/native/machine.h"

enum {
    TYPES_MAX = 128,
    TEXT_MAX = 200,
    BELOW_RECEIVE = 1024,
    OWN_FRAMES = 1664,
    STEP_MARGIN = 1536,
    ENGINE_MARGIN = 12 << 10,
};

struct reaction *reacting;

/* --- what is wrong -------------------------------------------------------------------------- */

/* Also where our own code runs for it. */
static struct task *running(void) {
    return rt.current != NULL ? rt.current : &rt.tasks[rt.session->running];
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

uint64_t machine_asked_at;

/* Where it asked for this; or else the machine's type. Not its call records: they are no part of a state. */
static uint64_t place_of(const struct reaction *reaction) {
    return machine_asked_at != 0 ? machine_asked_at : (uint64_t)reaction->machine->table->type + 1;
}

static void reaction_wrong(struct reaction *reaction, enum machine_wrong kind, const char *text) {
    machine_wrong(kind == MACHINE_UNHANDLED ? FINDING_UNHANDLED : FINDING_MACHINE,
                  place_of(reaction), "%s", text);
}

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
        machine_wrong(FINDING_MACHINE, pc, "a machine reads what another one remembers");
    if (in_heap(address))
        heap_check(task, address, size, write, pc);
}

void machine_allocates(uint64_t pc) {
    if (pc - rt.program_code.start < rt.program_code.size)
        machine_wrong(FINDING_MACHINE, pc,
                      "a machine allocates memory: what it remembers is its struct");
}

void machine_asks_for(const char *what) {
    machine_wrong(FINDING_MACHINE, place_of(reacting),
                  "%s in a machine: that is a choice, heddle_choose", what);
}

/* --- types and names ------------------------------------------------------------------------ */

static bool has_left;

bool machine_has_left(void) {
    bool left = has_left;
    has_left = false;
    if (left)
        slots_settle();
    return left;
}

/* Its stack is part of the state from here on, up to where it goes on. */
static void leave(struct slot *slot) {
    has_left = true;
    slot_touch(slot);
    fiber_leave((void **)&slot->context);
}

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

static uint32_t name(struct slot *parent, const struct machine_type *type, uint64_t pc) {
    uint32_t id = task_number(parent->id, parent->children++, (uint64_t)type, pc);
    if (id == NO_TASK)
        machine_refuse("machine_create", pc, "more machines than --max-tasks allows");
    return id;
}

/* --- evidence ------------------------------------------------------------------------------- */

/* For readers of the trace: what this was about. */
static void annotate(struct event *event, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void annotate(struct event *event, const char *format, ...) {
    struct task *task = rt.current;
    char text[TEXT_MAX];
    va_list list;
    if (!rt.host->evidence)
        return;
    rt.current = NULL;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    event->note = execution_add_text(rt.session->current, text);
    rt.current = task;
}

static const char *type_name(uint32_t id) {
    const struct slot *slot = slot_of(id);
    return slot->machine.table != NULL ? slot->machine.table->type->name : "nobody";
}

/* --- steps ---------------------------------------------------------------------------------- */

void machine_react_from(struct slot *slot, struct reaction *reaction) {
    machine_asked_at = 0; /* what was asked for last may have been wrong */
    reaction->machine = &slot->machine;
    reaction->memory = slot->memory;
    reaction->wrong = reaction_wrong;
    reaction->then = THEN_NOTHING;
    reaction->raises = reaction->moves = 0;
    reaction->event = NULL;
    reaction->sender = reaction->receiver = 0;
    reacting = reaction;
}

/* Before the program's own code runs: what lies below on its stack must not tell what came before, neither
 * by the program nor by us. It would be seen in the padding of structs, and in saved registers. By no call: that
 * would leave something there itself. */
static inline __attribute__((always_inline)) void wipe_below(struct task *task, uint64_t margin) {
    uint64_t here = read_sp(), low = (task->stack_low < here ? task->stack_low : here) - margin;
    low &= ~(uint64_t)7;
    uint64_t words = (here - low) / 8;
    __asm__ volatile("rep stosq" : "+D"(low), "+c"(words) : "a"(0) : "memory");
    task->stack_low = here;
}

/* The search has run on the engine's stack. */
void machine_has_chosen(struct task *task) {
    wipe_below(task, STEP_MARGIN);
}

/* The search may have run on this stack. */
static void goes_on(struct task *task) {
    wipe_below(task, ENGINE_MARGIN);
}

/* Before a machine reacts, and on the engine's stack: the top of its stack, where our own functions will stand, is empty, and so are the
 * registers that it begins with. What lies below is wiped by them. */
static void begin_reaction(struct task *task) {
    uint64_t top = slot_stack_top((uint32_t)(task - rt.tasks));
    memset((void *)(top - OWN_FRAMES), 0, OWN_FRAMES);
    fiber_start_machine(task, top);
}

/* The program's own code begins here. */
static inline __attribute__((always_inline)) void begin_program(struct task *task) {
    wipe_below(task, STEP_MARGIN);
    CHECK(task->stack_low >= slot_stack_top(task->id) - OWN_FRAMES);
}

/* It enters its first state on its own stack, as part of this step. */
static void make_machine(uint32_t id, const struct machine_table *table, const void *memory) {
    struct task *task = &rt.tasks[id];
    CHECK(task->state == TASK_UNUSED);
    fiber_prepare_machine(task);
    slot_begin(slot_of(id), table, memory);
    task->id = id;
    task->machine = slot_of(id);
    task->state = TASK_FRESH;
    if (task->stack_low == 0) /* else another machine was here, in a state before */
        task->stack_low = slot_stack_top(id);
    begin_reaction(task);
    task_insert_live(id);
    rt.fresh[rt.fresh_count++] = id;
    rt.session->threads_seen = true;
}

/* It stands before the creation, in the middle of an action. */
static void stand_to_create(struct slot *slot, const struct machine_type *type, const void *memory,
                            uint64_t pc) {
    struct outgoing *creation = slot_send(slot, type->size);
    creation->kind = OUTGOING_CREATE;
    creation->pc = pc;
    creation->what = type;
    creation->to = name(slot, type, pc);
    memcpy(creation->payload, memory, type->size);
    memset(slot->wanted, 0, sizeof slot->wanted);
    leave(slot);
    rt.current = NULL;
}

/* Events that were sent to that number before it was there wait for this. */
static void tell_guessers(uint32_t number) {
    for (uint32_t i = 0; i < rt.live_count; i++) {
        struct slot *slot = slot_of(rt.live[i]);
        if (slot->outbox_bytes != 0 && slot_outbox(slot)->to == number)
            slot_touch(slot);
    }
}

/* What comes first in the outbox is the creation. Returns the number of the new machine. */
static uint32_t create(struct task *task, struct slot *slot) {
    const struct outgoing *creation = slot_outbox(slot);
    struct event *event = begin_event(task);
    uint32_t id = creation->to;
    event->op.target = id;
    event->result = id;
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
    goes_on(task);
    slot->context = 0;
    reacting = reaction;
    return number;
}

/* What stands for main: it creates the first machine, and is gone. */
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

/* Which event this is, of all that were sent to the machine. After going back to a state nobody knows. */
static uint64_t event_number(uint32_t number) {
    return rt.session->remembers_states ? 0 : number;
}

static void deliver_announce(struct slot *slot, const struct outgoing *first, struct event *event) {
    const struct machine_event *what = first->what;
    char payload[MACHINE_PAYLOAD_MAX];
    memcpy(payload, first->payload, first->size);
    slot_sent(slot);
    annotate(event, "%s", what->name);
    happened(event);
    monitors_see(what, payload, slot->id, 0);
}

enum fate { DELIVERED, LOST, DOUBLED };

/* What an unreliable channel does with the event: nothing bad comes first. */
static enum fate fate_of(struct task *task, const struct machine_channel *channel) {
    uint32_t chosen = choose(task, CHOICE_VALUE, 1u + channel->loses + channel->doubles);
    if (chosen == 0)
        return DELIVERED;
    return chosen == 1 && channel->loses ? LOST : DOUBLED;
}

/* True: it is dropped. */
static bool too_many(struct slot *to, const struct machine_channel *channel,
                     const struct machine_event *what, uint64_t pc) {
    if (to->queue_count < machine_most_at(to, channel))
        return false;
    if (machine_full_at(to, channel) != MACHINE_FULL_FAILS)
        return true;
    machine_wrong(FINDING_QUEUE, pc, "event %s is one too many for %s %u: %u wait", what->name,
                  to->machine.table->type->name, to->id, to->queue_count);
}

/* Whether the event arrives; if not, nobody ever sees it. */
static bool arrives(struct slot *to, const struct outgoing *first, enum fate fate, uint64_t pc) {
    const struct machine_event *what = first->what;
    if (fate == LOST)
        return false;
    if (slot_has_halted(to)) {
        if (rt.session->options.halted == HALTED_REPORT)
            machine_wrong(FINDING_MACHINE, pc, "event %s is sent to %s %u, which has halted",
                          what->name, to->machine.table->type->name, to->id);
        return false;
    }
    return !too_many(to, &first->channel, what, pc);
}

static const char *const fates[] = {
    [DELIVERED] = "", [LOST] = " (lost)", [DOUBLED] = " (it will come twice)"};

/* It remains in the outbox and comes once more, for sure, if there is room; but it was sent only once. */
static void stay(struct slot *slot, struct outgoing *first) {
    first->channel.loses = first->channel.doubles = false;
    first->again = true;
    slot_touch(slot);
}

/* Whatever is wrong now ends the execution, and this is what it ended with. */
static void record_early(const struct event *event) {
    struct execution *execution = rt.session->current;
    execution->events[execution->event_count - 1] = *event;
}

static void deliver_send(struct task *task, struct slot *slot, struct outgoing *first,
                         struct event *event) {
    struct slot *to = slot_numbered(first->to);
    const struct machine_event *what = first->what;
    char payload[MACHINE_PAYLOAD_MAX];
    if (to == NULL)
        machine_wrong(FINDING_MACHINE, event->op.pc,
                      "event %s is sent to machine %u, which there is not", what->name, first->to);
    enum fate fate = fate_of(task, &first->channel);
    machine_describe_channel(&event->op, to, &first->channel);
    if (event->op.size != 0)
        rt.session->queues_matter = true;
    if (fate == LOST)
        event->op.order |= MESSAGE_LOST;
    memcpy(payload, first->payload, first->size);
    annotate(event, "%s to %s %u%s", what->name, type_name(to->id), to->id, fates[fate]);
    event->flags |= EVENT_FAILED;
    record_early(event);
    if (arrives(to, first, fate, event->op.pc)) {
        event->flags &= ~(uint32_t)EVENT_FAILED;
        if (slot_halts_idly(to))
            event->op.order |= MESSAGE_WAKES;
        slot_push(to, what, slot->id, payload);
        event->result = event_number(to->sequence);
    }
    if (fate == DOUBLED)
        stay(slot, first);
    else
        slot_sent(slot);
    happened(event);
    if (event->op.object2 != 0)
        monitors_see(what, payload, slot->id, to->id);
}

static void deliver(struct task *task, struct slot *slot) {
    struct outgoing *first = slot_outbox(slot);
    struct event *event = begin_event(task);
    switch ((enum outgoing_kind)first->kind) {
    case OUTGOING_SEND: deliver_send(task, slot, first, event); break;
    case OUTGOING_ANNOUNCE: deliver_announce(slot, first, event); break;
    case OUTGOING_CREATE: CHECK(!"by its machine, which stands there"); break;
    case OUTGOING_HALT:
    case OUTGOING_EXIT:
    case OUTGOING_STOP:
    case OUTGOING_FINDING: machine_deliver_end(slot, first, event); break;
    }
}

/* A bit for each event behind the one that is taken: would it have been taken as well? */
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

/* The event that it takes next goes to *message, its payload to `payload`. No part of the caller, whose frame is
 * part of the state: which event this was of all that came is not. */
static __attribute__((noinline)) void take(struct task *task, struct slot *slot,
                                           struct machine_message *message, void *payload) {
    struct event *event = begin_event(task);
    uint32_t number;
    if (task->op.value)
        event->op.target = matches_behind(slot);
    slot_take(slot, message, payload, &number);
    event->result = event_number(number);
    event->op.value = (uint64_t)message->event;
    annotate(event, "%s from %s %u in state %s", message->event->name, type_name(message->sender),
             message->sender, machine_state_name(&slot->machine));
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
    for (uint32_t i = 0; i < rt.live_count; i++)
        if (slot_of(rt.live[i])->context != 0 || slot_of(rt.live[i])->outbox_bytes != 0)
            return true;
    return false;
}

/* Everybody waits for events, and none is on its way: that is an end, not a deadlock. */
void machine_look_for_end(void) {
    slots_settle();
    if (rt.settled_count < rt.fresh_count || !machines_stand() || anybody_receives())
        return;
    monitors_end();
    slots_halt_idle();
    slots_settle(); /* what monitors remember at last belongs to the last state */
    rt.outcome = OUTCOME_ENDED;
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

/* Who moves next is decided on the engine's side: if it is the same machine, its stack is wiped. */
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
        deliver(task, slot);
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
    leave(slot);
    rt.current = NULL;
    take(task, slot, message, payload);
    goes_on(task);
    slot->context = 0;
    reacting = reaction;
}

void machine_prepare(struct task *task) {
    struct slot *slot = task->machine;
    if (slot->context == 0) {
        task->depth = 0;
        if (slot->outbox_bytes != 0)
            fiber_start_machine(task, slot_stack_top(task->id));
        else
            begin_reaction(task);
    } else if (slot->outbox_bytes != 0 && slot_outbox(slot)->kind != OUTGOING_CREATE) {
        fiber_start_machine(task, slot->context - BELOW_RECEIVE);
    } else {
        task->context = (void *)slot->context;
    }
}
