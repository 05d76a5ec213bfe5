/* machine.h - state machines that send each other events, in plain C.
 *
 *     struct ping { machine_id from; };
 *     EVENT(PING, struct ping);                            // an event, and what it carries
 *     EVENT(PONG);
 *
 *     struct client { machine_id server; int left; };      // what a machine of the type remembers
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
 *         return machine_start(Main, .clients = 2);        // Main creates the others
 *     }
 *
 * Each machine has a queue of events. It takes the first one that its present state does not defer, and
 * reacts: an action, a move to another state, or both. What a state does not mention, nor the states
 * below it on its stack, is a finding: an unhandled event. A reaction runs to its end before the next
 * event is taken. Meanwhile others move: each send, creation and dequeue is an operation.
 *
 * A machine's memory is its struct, which begins as machine_create says, zeros elsewhere. It must not
 * point into other machines, to the heap, or to memory that changes; Heddle says so where it does. So
 * its state is small: it is saved, put back and recognised in no time.
 *
 * `heddle cc` makes a program that `heddle run` explores; the same source linked to libheddle-machines
 * (pkg-config: heddle-machines) runs each machine as a thread, without the tool. For C only. */
#ifndef HEDDLE_MACHINE_H
#define HEDDLE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/heddle.h>

/* A machine by its number, from 1 on in the order of creation; 0 is nobody. */
typedef uint32_t machine_id;

enum {
    MACHINE_PAYLOAD_MAX = 256,    /* bytes that an event carries */
    MACHINE_STATE_MAX = 16 << 10, /* bytes that a machine remembers */
    MACHINE_STATES_MAX = 64,      /* states of a type */
    MACHINE_STACK_MAX = 8,        /* states that are pushed on each other */
    MACHINE_QUEUE_DEFAULT = 64,   /* events that may wait, unless QUEUE() says another number, */
    MACHINE_QUEUE_MAX = 1000,     /* which is at most this one */
    MACHINE_RECEIVE_MAX = 8,      /* events in a machine_receive */
    MACHINE_MONITORS_MAX = 8,
};

/* --- events --------------------------------------------------------------------------------- */

/* What an event carries that carries nothing. */
struct machine_nothing {
    char nothing[0];
};

struct machine_event {
    const char *name;
    const char *type; /* of its payload, as it was declared */
    uint32_t size;    /* bytes of it */
};

/* EVENT(NAME) or EVENT(NAME, type of its payload). May stand in a header. */
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
    MACHINE_ROW_ON,   /* an action, a target, or both */
    MACHINE_ROW_PUSH, /* likewise, and the present state stays below */
    MACHINE_ROW_POP,  /* likewise, without a target: back to the state below */
    MACHINE_ROW_DEFER,
    MACHINE_ROW_IGNORE,
    MACHINE_ROW_QUEUE,
    MACHINE_ROW_AT_END, /* of a monitor: when nobody moves any more */
};

/* One line of the table. */
struct machine_row {
    enum machine_row_kind kind;
    const char *state;                 /* its name; of ON and PUSH: where it goes, or NULL */
    const struct machine_event *event; /* of ON to IGNORE */
    machine_action *action;            /* of ON, PUSH and POP, or NULL */
    machine_entry *entry;              /* of ENTRY, EXIT and AT_END */
    uint32_t number; /* of STATE: 1 for the first one to be in; of QUEUE: the bound */
};

struct machine_type {
    const char *name;
    uint32_t size; /* of what it remembers */
    bool monitor;
    const struct machine_row *rows;
};

/* Before its first use: what a machine of this type remembers. */
#define DECLARE_MACHINE(name, struct_type) \
    typedef struct_type machine_memory_##name; \
    _Static_assert(sizeof(machine_memory_##name) <= MACHINE_STATE_MAX, \
                   "a machine remembers at most MACHINE_STATE_MAX bytes"); \
    extern const struct machine_type name

/* The table: MACHINE(name, START("A", ...), STATE("B", ...), ...). */
#define MACHINE(name, ...) MACHINE_TABLE_(name, false, __VA_ARGS__)
/* The same for a monitor: it sees each event that its table mentions when that is sent to anybody, or
 * announced. It asserts and moves; it does not send, create, defer or choose. */
#define MONITOR(name, ...) MACHINE_TABLE_(name, true, __VA_ARGS__)
#define MACHINE_TABLE_(type, is_monitor, ...) \
    const struct machine_type type = {#type, sizeof(machine_memory_##type), is_monitor, \
                                      (const struct machine_row[]){__VA_ARGS__, {0}}}

/* States: one START, any number of others, each with its rows. */
#define START(name, ...) \
    {.kind = MACHINE_ROW_STATE, .state = name, .number = 1} __VA_OPT__(, ) __VA_ARGS__
#define STATE(name, ...) {.kind = MACHINE_ROW_STATE, .state = name} __VA_OPT__(, ) __VA_ARGS__
/* void f(struct client *me): whenever the state is entered, or left. Not by a push and its pop. */
#define ENTRY(f) \
    { .kind = MACHINE_ROW_ENTRY, .entry = MACHINE_ENTRY_(f) }
#define EXIT(f) \
    { .kind = MACHINE_ROW_EXIT, .entry = MACHINE_ENTRY_(f) }
/* void f(struct client *me, const struct pong *pong): the reaction to an event, before the move. */
#define ON(name, f) MACHINE_ON_(ON, name, NULL, f)
#define ON_GOTO(name, f, target) MACHINE_ON_(ON, name, target, f)
#define GOTO(name, target) \
    { .kind = MACHINE_ROW_ON, .event = &name, .state = target }
/* Into another state, to come back by a pop. What that state does not mention, those below handle. */
#define PUSH(name, target) \
    { .kind = MACHINE_ROW_PUSH, .event = &name, .state = target }
#define ON_PUSH(name, f, target) MACHINE_ON_(PUSH, name, target, f)
#define POP(name) \
    { .kind = MACHINE_ROW_POP, .event = &name }
#define ON_POP(name, f) MACHINE_ON_(POP, name, NULL, f)
/* It stays in the queue until a state that does not defer it; or is taken and forgotten. */
#define DEFER(name) \
    { .kind = MACHINE_ROW_DEFER, .event = &name }
#define IGNORE(name) \
    { .kind = MACHINE_ROW_IGNORE, .event = &name }
/* In front of all states: so many events may wait, 1 to MACHINE_QUEUE_MAX; one more is a finding. */
#define QUEUE(bound) \
    { .kind = MACHINE_ROW_QUEUE, .number = bound }
/* In front of all states of a monitor: void f(struct m *me), when nobody moves any more. */
#define AT_END(f) \
    { .kind = MACHINE_ROW_AT_END, .entry = MACHINE_ENTRY_(f) }

#define MACHINE_ON_(how, name, target, f) \
    { \
        .kind = MACHINE_ROW_##how, .event = &name, .state = target, \
        .action = MACHINE_ACTION_(f, name) \
    }
/* A cast; but first the compiler compares the payload, by a call that is not made. */
#define MACHINE_ACTION_(f, name) \
    (sizeof((f((void *)0, (const machine_payload_##name *)0), 0)) != 0 \
         ? (machine_action *)(void (*)(void))(f) \
         : (machine_action *)0)
#define MACHINE_ENTRY_(f) \
    (sizeof((f((void *)0), 0)) != 0 ? (machine_entry *)(void (*)(void))(f) : (machine_entry *)0)

/* --- what main does ------------------------------------------------------------------------- */

/* From now on this monitor looks on. Before machine_start. */
#define machine_watch(type, ...) machine_watch_at(&type, &(machine_memory_##type){__VA_ARGS__})
/* Runs a first machine, and all that come of it, until every one is halted or waits in vain. What main
 * has written before that is there for all to read. Under `heddle run` it does not return. */
#define machine_start(type, ...) machine_start_at(&type, &(machine_memory_##type){__VA_ARGS__})

/* --- what actions do ------------------------------------------------------------------------ */

/* A channel that is not perfect, as an option of the send. Losing and doubling are choices of the
 * search; without the tool nothing is lost or doubled. */
enum machine_full { MACHINE_FULL_FAILS, MACHINE_FULL_DROPS, MACHINE_FULL_BLOCKS };
struct machine_channel {
    bool loses;   /* the event may get lost, */
    bool doubles; /* or come twice */
    uint32_t
        bound; /* so many events may wait at the receiver; 0: as many as its own bound. If it is above
                       that, one more than the receiver's own bound is a finding, whatever `full` says */
    enum machine_full full; /* and then: a finding, or it is dropped, or the sender waits */
};

machine_id machine_self(void);
/* Who sent the event at hand; 0: raised, or none at hand. In a monitor also to whom (0: announced). */
machine_id machine_sender(void);
machine_id machine_receiver(void);

/* machine_send(to, PING, .from = machine_self()) */
#define machine_send(to, name, ...) machine_send_over(NULL, to, name, __VA_ARGS__)
#define machine_send_over(channel, to, name, ...) \
    machine_send_at(channel, to, &name, &(machine_payload_##name){__VA_ARGS__}, \
                    sizeof(machine_payload_##name))
/* machine_create(Server, .number = 1): the new machine, which enters its first state at once. */
#define machine_create(type, ...) machine_create_at(&type, &(machine_memory_##type){__VA_ARGS__})
/* Only the monitors see it. */
#define machine_announce(name, ...) \
    machine_announce_at(&name, &(machine_payload_##name){__VA_ARGS__}, \
                        sizeof(machine_payload_##name))

/* These say what comes when the action has returned; at most one of them in one action. */
#define machine_raise(name, ...) \
    machine_raise_at(&name, &(machine_payload_##name){__VA_ARGS__}, sizeof(machine_payload_##name))
void machine_goto(const char *state);
void machine_push(const char *state);
void machine_pop(void);
/* It ends, behind all that the action has sent; what waits in its queue is forgotten. */
void machine_halt(void);

/* Waits, within an action, for the first event of the queue that is one of these:
 *     const struct machine_message *answer = machine_receive(&YES, &NO);
 *     if (answer->event == &YES) ...
 * What it points to holds until the next one, or until the action returns. */
struct machine_message {
    const struct machine_event *event;
    machine_id sender;
    const void *payload;
};
#define machine_receive(...) \
    machine_receive_at((const struct machine_event *const[]){__VA_ARGS__, NULL})

/* --- what stands behind these --------------------------------------------------------------- */

void machine_watch_at(const struct machine_type *type, const void *memory);
int machine_start_at(const struct machine_type *type, const void *memory);
machine_id machine_create_at(const struct machine_type *type, const void *memory);
/* For whoever passes events on: `size` is that of the event's payload. */
void machine_send_at(const struct machine_channel *channel, machine_id to,
                     const struct machine_event *event, const void *payload, size_t size);
void machine_announce_at(const struct machine_event *event, const void *payload, size_t size);
void machine_raise_at(const struct machine_event *event, const void *payload, size_t size);
const struct machine_message *machine_receive_at(const struct machine_event *const *events);

#endif
