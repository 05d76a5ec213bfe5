/* machine.h - state machines that send each other events, in plain C.
 *
 *     struct ping { machine_id from; };
 *     EVENT(PING, struct ping);                            // an event and the type of its payload
 *     EVENT(PONG);                                         // an event without a payload
 *
 *     struct client { machine_id server; int left; };      // the memory of a machine of this type
 *     DECLARE_MACHINE(Client, struct client);
 *
 *     static void ask(struct client *me) {
 *         machine_send(me->server, PING, .from = machine_self());
 *     }
 *     static void answered(struct client *me, const void *nothing) {
 *         if (--me->left == 0)
 *             machine_halt();
 *     }
 *     MACHINE(Client,
 *         START("Asking", ENTRY(ask),
 *             ON_GOTO(PONG, answered, "Asking")));
 *
 *     int main(void) {
 *         return machine_start(Main, .clients = 2);        // Main creates the other machines
 *     }
 *
 * Each machine has a queue of events. It takes the first event that its current state does not
 * defer, and reacts to it: by an action, by a move to another state, or by both. A reaction runs to
 * its end before the machine takes the next event. Other machines can move in the meantime, because
 * each send, each creation and each dequeue is an operation of its own. If neither the current
 * state nor a state below it on the stack mentions an event, this is a finding: an unhandled event.
 *
 * The memory of a machine is one struct. machine_create sets its first values; everything else
 * starts as zero. The struct must not point into other machines, to the heap, or to memory that
 * changes. Heddle reports a pointer that does. So the state of a machine is small, and Heddle can
 * save it, restore it and recognise it quickly.
 *
 * `heddle cc` makes a program that `heddle run` explores. The same source, linked to
 * libheddle-machines (pkg-config: heddle-machines), runs each machine as a thread, without the
 * tool. This header is for C only. */
#ifndef HEDDLE_MACHINE_H
#define HEDDLE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/heddle.h>

/* The number of a machine: machines are numbered from 1 in the order of their creation; 0 means no
 * machine. */
typedef uint32_t machine_id;

enum {
    MACHINE_PAYLOAD_MAX = 256,    /* bytes in the payload of an event */
    MACHINE_STATE_MAX = 16 << 10, /* bytes in the memory of a machine */
    MACHINE_STATES_MAX = 64,      /* states in one machine type */
    MACHINE_STACK_MAX = 8,        /* depth of a machine's stack of states */
    MACHINE_QUEUE_DEFAULT = 64,   /* events that may wait in a queue without QUEUE() */
    MACHINE_QUEUE_MAX = 1000,     /* the largest bound that QUEUE() may set */
    MACHINE_RECEIVE_MAX = 8,      /* events that one machine_receive may wait for */
    MACHINE_MONITORS_MAX = 8,
};

/* --- events --------------------------------------------------------------------------------- */

/* The payload type of an event that carries nothing. */
struct machine_nothing {
    char nothing[0];
};

struct machine_event {
    const char *name;
    const char *type; /* the payload's type, as written in EVENT() */
    uint32_t size;    /* size of the payload in bytes */
};

/* Defines an event: EVENT(NAME), or EVENT(NAME, payload type). This may stand in a header. */
#define EVENT(name, ...) \
    MACHINE_EVENT_(name, MACHINE_FIRST_(__VA_ARGS__ __VA_OPT__(, ) struct machine_nothing, 0))
#define MACHINE_FIRST_(first, ...) first
#define MACHINE_EVENT_(name, payload) MACHINE_EVENT_DEFINE_(name, payload)
#define MACHINE_EVENT_DEFINE_(name, payload) \
    typedef payload machine_payload_##name; \
    _Static_assert(sizeof(machine_payload_##name) <= MACHINE_PAYLOAD_MAX, \
                   "an event carries at most MACHINE_PAYLOAD_MAX bytes"); \
    __attribute__((weak)) \
    const struct machine_event name = {#name, #payload, sizeof(machine_payload_##name)}

/* --- machine types -------------------------------------------------------------------------- */

typedef void machine_action(void *me, const void *payload);
typedef void machine_entry(void *me);

enum machine_row_kind {
    MACHINE_ROW_END,
    MACHINE_ROW_STATE,
    MACHINE_ROW_ENTRY,
    MACHINE_ROW_EXIT,
    MACHINE_ROW_ON,   /* an action, a target state, or both */
    MACHINE_ROW_PUSH, /* the same, but the current state stays below the target on the stack */
    MACHINE_ROW_POP,  /* perhaps an action; then back to the state below */
    MACHINE_ROW_DEFER,
    MACHINE_ROW_IGNORE,
    MACHINE_ROW_QUEUE,
    MACHINE_ROW_AT_END, /* monitors only: a function to call when no machine can move */
};

/* One row of a machine's table. Which fields are used depends on the kind of the row. */
struct machine_row {
    enum machine_row_kind kind;
    const char *state;                 /* STATE: its name. ON and PUSH: the target state, or NULL */
    const struct machine_event *event; /* ON, PUSH, POP, DEFER and IGNORE: the event */
    machine_action *action;            /* ON, PUSH and POP: the action, or NULL */
    machine_entry *entry;              /* ENTRY, EXIT and AT_END: the function to call */
    uint32_t number;                   /* STATE: 1 for the first state, else 0. QUEUE: the bound */
};

struct machine_type {
    const char *name;
    uint32_t size; /* size of a machine's memory in bytes */
    bool monitor;
    const struct machine_row *rows;
};

/* Declares a machine type and the struct that is its memory. It must stand before the first use of
 * the type. */
#define DECLARE_MACHINE(name, struct_type) \
    typedef struct_type machine_memory_##name; \
    _Static_assert(sizeof(machine_memory_##name) <= MACHINE_STATE_MAX, \
                   "a machine remembers at most MACHINE_STATE_MAX bytes"); \
    extern const struct machine_type name

/* Defines a machine type by its table: MACHINE(name, START("A", ...), STATE("B", ...), ...). */
#define MACHINE(name, ...) MACHINE_TABLE_(name, false, __VA_ARGS__)
/* Defines a monitor in the same way. A monitor sees each event that its table mentions, at the
 * moment when the event is sent to any machine or announced. A monitor may assert and change its
 * state. It may not send, create, defer or choose. */
#define MONITOR(name, ...) MACHINE_TABLE_(name, true, __VA_ARGS__)
#define MACHINE_TABLE_(type, is_monitor, ...) \
    const struct machine_type type = {#type, sizeof(machine_memory_##type), is_monitor, \
                                      (const struct machine_row[]){__VA_ARGS__, {0}}}

/* The states: exactly one START, any number of STATEs, each with its rows. */
#define START(name, ...) \
    {.kind = MACHINE_ROW_STATE, .state = name, .number = 1} __VA_OPT__(, ) __VA_ARGS__
#define STATE(name, ...) {.kind = MACHINE_ROW_STATE, .state = name} __VA_OPT__(, ) __VA_ARGS__
/* void f(struct client *me) is called whenever the state is entered, or left. A push does not count
 * as leaving the state below, nor a pop as entering it again. */
#define ENTRY(f) \
    { .kind = MACHINE_ROW_ENTRY, .entry = MACHINE_ENTRY_(f) }
#define EXIT(f) \
    { .kind = MACHINE_ROW_EXIT, .entry = MACHINE_ENTRY_(f) }
/* void f(struct client *me, const struct pong *pong) is the action that reacts to an event. It runs
 * before the move to the target state. */
#define ON(name, f) MACHINE_ON_(ON, name, NULL, f)
#define ON_GOTO(name, f, target) MACHINE_ON_(ON, name, target, f)
#define GOTO(name, target) \
    { .kind = MACHINE_ROW_ON, .event = &name, .state = target }
/* Moves into another state, from which a pop comes back. The states below on the stack handle the
 * events that the new state does not mention. */
#define PUSH(name, target) \
    { .kind = MACHINE_ROW_PUSH, .event = &name, .state = target }
#define ON_PUSH(name, f, target) MACHINE_ON_(PUSH, name, target, f)
#define POP(name) \
    { .kind = MACHINE_ROW_POP, .event = &name }
#define ON_POP(name, f) MACHINE_ON_(POP, name, NULL, f)
/* DEFER leaves the event in the queue until the machine is in a state that does not defer it.
 * IGNORE takes the event out of the queue and does nothing. */
#define DEFER(name) \
    { .kind = MACHINE_ROW_DEFER, .event = &name }
#define IGNORE(name) \
    { .kind = MACHINE_ROW_IGNORE, .event = &name }
/* Stands before all states. At most `bound` events may wait in the queue, 1 to MACHINE_QUEUE_MAX.
 * One event more is a finding. */
#define QUEUE(bound) \
    { .kind = MACHINE_ROW_QUEUE, .number = bound }
/* Stands before all states of a monitor. void f(struct m *me) is called when no machine can move
 * any more. */
#define AT_END(f) \
    { .kind = MACHINE_ROW_AT_END, .entry = MACHINE_ENTRY_(f) }

#define MACHINE_ON_(how, name, target, f) \
    { \
        .kind = MACHINE_ROW_##how, .event = &name, .state = target, \
        .action = MACHINE_ACTION_(f, name) \
    }
/* These two cast a function to the type in the table. The call inside sizeof is never made: it only
 * lets the compiler check the types of the parameters. */
#define MACHINE_ACTION_(f, name) \
    (sizeof((f((void *)0, (const machine_payload_##name *)0), 0)) != 0 \
         ? (machine_action *)(void (*)(void))(f) \
         : (machine_action *)0)
#define MACHINE_ENTRY_(f) \
    (sizeof((f((void *)0), 0)) != 0 ? (machine_entry *)(void (*)(void))(f) : (machine_entry *)0)

/* --- calls for main ------------------------------------------------------------------------- */

/* Adds a monitor, which sees all events from then on. Call this before machine_start. */
#define machine_watch(type, ...) machine_watch_at(&type, &(machine_memory_##type){__VA_ARGS__})
/* Runs a first machine, and all machines that are created from it, until each one has halted or
 * waits for an event that cannot come. All machines may read what main has written before this
 * call. Under `heddle run` the call does not return. */
#define machine_start(type, ...) machine_start_at(&type, &(machine_memory_##type){__VA_ARGS__})

/* --- calls for actions ---------------------------------------------------------------------- */

/* Options of a send, for a channel that is not perfect. Losing and doubling an event are choices of
 * the search. Without the tool no event is lost or doubled. */
enum machine_full { MACHINE_FULL_FAILS, MACHINE_FULL_DROPS, MACHINE_FULL_BLOCKS };
struct machine_channel {
    bool loses;   /* the event may get lost */
    bool doubles; /* the event may arrive twice */
    /* How many events may wait at the receiver; 0 means the receiver's own bound. If this number is
     * larger than the receiver's own bound, an event beyond the receiver's bound is a finding,
     * whatever `full` says. */
    uint32_t bound;
    /* When no more events may wait: a finding, or the event is dropped, or the sender waits. */
    enum machine_full full;
};

machine_id machine_self(void);
/* machine_sender returns the sender of the event that is being handled, or 0 if there is no such
 * event or if it was raised. machine_receiver is for monitors: it returns the receiver of that
 * event, or 0 if it was announced. */
machine_id machine_sender(void);
machine_id machine_receiver(void);

/* Sends an event: machine_send(to, PING, .from = machine_self()). */
#define machine_send(to, name, ...) machine_send_over(NULL, to, name, __VA_ARGS__)
#define machine_send_over(channel, to, name, ...) \
    machine_send_at(channel, to, &name, &(machine_payload_##name){__VA_ARGS__}, \
                    sizeof(machine_payload_##name))
/* Creates a machine and returns its number: machine_create(Server, .number = 1). The new machine
 * enters its first state at once. */
#define machine_create(type, ...) machine_create_at(&type, &(machine_memory_##type){__VA_ARGS__})
/* Sends an event that only the monitors see. */
#define machine_announce(name, ...) \
    machine_announce_at(&name, &(machine_payload_##name){__VA_ARGS__}, \
                        sizeof(machine_payload_##name))

/* The following calls say what the machine does when the action has returned. One action may make
 * at most one of them. */
#define machine_raise(name, ...) \
    machine_raise_at(&name, &(machine_payload_##name){__VA_ARGS__}, sizeof(machine_payload_##name))
void machine_goto(const char *state);
void machine_push(const char *state);
void machine_pop(void);
/* The machine ends, after everything that the action has sent is delivered. The events that wait in
 * its queue are discarded. */
void machine_halt(void);

/* Waits, inside an action, for the first event in the queue that is one of these:
 *
 *     const struct machine_message *answer = machine_receive(&YES, &NO);
 *     if (answer->event == &YES) ...
 *
 * The message stays valid until the next machine_receive, or until the action returns. */
struct machine_message {
    const struct machine_event *event;
    machine_id sender;
    const void *payload;
};
#define machine_receive(...) \
    machine_receive_at((const struct machine_event *const[]){__VA_ARGS__, NULL})

/* --- the functions behind the macros -------------------------------------------------------- */

void machine_watch_at(const struct machine_type *type, const void *memory);
int machine_start_at(const struct machine_type *type, const void *memory);
machine_id machine_create_at(const struct machine_type *type, const void *memory);
/* Sends an event that is known at run time only. `size` is the size of the event's payload. */
void machine_send_at(const struct machine_channel *channel, machine_id to,
                     const struct machine_event *event, const void *payload, size_t size);
void machine_announce_at(const struct machine_event *event, const void *payload, size_t size);
void machine_raise_at(const struct machine_event *event, const void *payload, size_t size);
const struct machine_message *machine_receive_at(const struct machine_event *const *events);

#endif
