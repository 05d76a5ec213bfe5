/* machine.h - machines (heddle/machine.h) as tasks of the native substrate.
 *
 * From machine_start on the program is its machines, and native_system is machine_ops. A step of
 * a machine is one of these: it delivers the first entry of its outbox, or it takes an event
 * from its queue and reacts to it. A reaction runs to its end in one step. Events that it sends
 * wait in the outbox, and each send is a step of its own. That is as good as stopping within the
 * reaction: the memory of a machine is its own (machine_access sees to that), so what an action
 * does between two sends concerns no other machine. So between steps nothing is on a machine's
 * stack, unless it stands in machine_receive or machine_create. The number of a new machine says
 * how many were created before it, so it is known only when the creation happens.
 *
 * The last thing that a reaction does can concern others: the machine halts, the program exits,
 * an assumption does not hold, or something is wrong. So this is an entry of the outbox too,
 * after everything that was sent before (end.c).
 *
 * A machine is a slot: plain bytes at an address that depends on its number only. At rest these
 * bytes are two numbers: a version of all but the queue (version.h), and a queue (queue.h). Saving
 * a state copies these numbers. The fingerprint of a state is the sum of the fingerprints of all
 * versions and queues, and only slots that changed are hashed again. */
#ifndef NATIVE_MACHINE_H
#define NATIVE_MACHINE_H

#include "machines/reaction.h"
#include "engine/system.h"
#include "execution/finding.h"
#include "substrates/native/layout.h"
#include "substrates/native/runtime.h"

enum {
    SLOT_OUTBOX = 320 << 10, /* the places in a slot: the queue ends where the outbox begins */
    SLOT_NUMBERS = 360 << 10,
    SLOT_END = 384 << 10,
    OUTBOX_MAX = 32 << 10, /* bytes that one action may put into the outbox, without its end */
    WANTED_MAX = MACHINE_RECEIVE_MAX,
    NOTHING_TO_TAKE = UINT32_MAX,
};

/* A machine. Its memory and its queue follow. */
struct slot {
    /* Not part of the state: these follow from the rest, or do not decide about the future. */
    uint32_t id;
    uint32_t take;     /* the place in the queue of the event to take next, or NOTHING_TO_TAKE */
    bool known;        /* the slot has been used, in any execution */
    bool changed;      /* the slot has changed since it was settled */
    uint32_t sequence; /* the number of events that were ever sent to the machine */
    /* The queue as of the last settling, and how many of its bytes have not changed since. */
    uint32_t settled_queue, settled_bytes;
    /* In machine_receive: the events for which the machine waits. */
    const struct machine_event *wanted[WANTED_MAX];

    /* The state. */
    uint32_t queue_count, queue_bytes; /* of the queue behind the memory */
    /* Here begins the version. */
    struct machine machine;
    uint32_t number; /* the program's name for the machine: from 1 on, in the order of creation */
    uint32_t children;
    uint32_t outbox_bytes;
    /* In machine_receive, or before a creation: where the machine goes on, on its stack; else 0. */
    uint64_t context;
    _Alignas(16) char memory[];
};

/* An event in a queue. */
struct message {
    const struct machine_event *event;
    uint32_t sender;
    uint32_t size; /* the size of the payload, rounded up */
    char payload[];
};

enum { MESSAGE_MAX = sizeof(struct message) + MACHINE_PAYLOAD_MAX };

_Static_assert(sizeof(struct slot) + MACHINE_STATE_MAX +
                       MACHINE_QUEUE_MAX * (sizeof(struct message) + MACHINE_PAYLOAD_MAX) <=
                   SLOT_OUTBOX,
               "every queue that QUEUE() allows has room in a slot");
_Static_assert(MACHINE_QUEUE_MAX * sizeof(uint32_t) <= SLOT_END - SLOT_NUMBERS,
               "an event in the queue has a number");

enum outgoing_kind {
    OUTGOING_SEND,
    OUTGOING_CREATE,
    OUTGOING_ANNOUNCE,
    /* The ends of an action: always the last entry. */
    OUTGOING_HALT,
    OUTGOING_EXIT,    /* payload: the status */
    OUTGOING_STOP,    /* an assumption does not hold: the machine goes no further */
    OUTGOING_FINDING, /* payload: a struct finding, without its list of waiting tasks */
};

/* Something that an action has asked for and that is still to be done. */
struct outgoing {
    uint64_t pc;      /* not part of the state */
    uint16_t kind;    /* enum outgoing_kind */
    bool again;       /* the send was made before, and its channel has doubled the event */
    uint32_t to;      /* the number of the receiver, or the task of the new machine */
    const void *what; /* a struct machine_event, or a struct machine_type */
    struct machine_channel channel;
    uint32_t size;
    char payload[]; /* of an event; or the new machine's memory */
};

extern const struct system_ops machine_ops;

/* --- slots (machines/slot.c) --- */

static inline struct slot *slot_of(uint32_t id) {
    return (struct slot *)(MACHINE_BASE + id * MACHINE_SLOT);
}

static inline uint32_t rounded(uint32_t size) {
    return (size + 7u) & ~7u;
}

static inline uint32_t outgoing_bytes(uint32_t size) {
    return (uint32_t)sizeof(struct outgoing) + rounded(size);
}

static inline char *slot_queue(struct slot *slot) {
    return slot->memory + rounded(slot->machine.table->type->size);
}

static inline struct outgoing *slot_outbox(struct slot *slot) {
    return (struct outgoing *)((char *)slot + SLOT_OUTBOX);
}

static inline bool slot_has_halted(const struct slot *slot) {
    return slot->machine.halted && slot->outbox_bytes == 0;
}

/* The machine is as good as halted: it stands before its halt. No other machine can tell, since
 * a queue in which nothing waits is never full. The first event that comes brings the machine
 * back, so that it can halt. */
bool slot_halts_idly(struct slot *slot);

/* The numbers of the events in the queue, among all that were sent to the machine. */
static inline uint32_t *slot_numbers(struct slot *slot) {
    return (uint32_t *)((char *)slot + SLOT_NUMBERS);
}

void slot_clear(struct slot *slot); /* only the type is left */
void slot_begin(struct slot *slot, const struct machine_table *table, const void *memory);
/* The last action of the machine is over. Only its outbox is left, and the number of events that
 * wait for it. */
void slot_finish(struct slot *slot);
/* The machine has halted; nothing else is left. */
void slot_halt(struct slot *slot);
void slot_push(struct slot *slot, const struct machine_event *event, uint32_t sender,
               const void *payload);
/* What an event will be in the queue of a machine that has not halted. `message` has room for
 * MESSAGE_MAX bytes. */
void message_fill(struct message *message, const struct machine_event *event, uint32_t sender,
                  const void *payload);
static inline uint32_t message_bytes(const struct message *message) {
    return (uint32_t)sizeof *message + message->size;
}
/* Copies the message at `take` out and removes it. *number is its number. */
void slot_take(struct slot *slot, struct machine_message *message, void *payload, uint32_t *number);
/* Makes room at the end of the outbox. All bytes are zero except the size. */
struct outgoing *slot_send(struct slot *slot, size_t size);
bool slot_has_room(const struct slot *slot, size_t size); /* for another entry that is not an end */
void slot_sent(struct slot *slot); /* the first entry of the outbox is done */
/* Whether the machine would take the event now. */
bool slot_takes(const struct slot *slot, const struct machine_event *event);

/* The place in the queue of the event that the machine takes next, or NOTHING_TO_TAKE. */
uint32_t slot_find_takable(struct slot *slot);

/* --- being at rest (machines/rest.c) --- */

void slots_reset(void);
void slot_make_known(uint32_t id);
void slot_touch(struct slot *slot); /* the slot has changed, or will change */
/* Looks at all slots that have changed. Then everything is at rest. */
void slots_settle(void);
/* At the end of an execution: machines that are as good as halted have halted. */
void slots_halt_idle(void);
bool slots_write(struct image *image); /* false: there is no room for the versions */
void slots_read(struct image *image);
void slots_fingerprint(struct fingerprint *out);
/* What a slot is at rest: a version (version.h), and a queue (queue.h). NOBODY: no machine. */
struct stand {
    uint32_t version, queue;
};
#define NOBODY ((struct stand){0, 0})

static inline bool same_stand(struct stand a, struct stand b) {
    return a.version == b.version && a.queue == b.queue;
}

/* By how much the fingerprint would change if these slots stood like this. */
struct fingerprint slots_change(const uint32_t *ids, const struct stand *to, uint32_t count);
/* The fingerprint by the present sums, which slots_fingerprint also checks now and then. */
const struct fingerprint *slots_total(void);
/* Makes the bytes of all slots what they should be. They may be stale after slots_read and
 * slot_become. */
void slots_freshen(void);

/* What a slot is at rest, by its id; and a slot becomes what it is in another state. Once all slots
 * are what they should be, slot_publish_again must be called for each of them. */
struct stand slot_stand(uint32_t id);
void slot_become(uint32_t id, struct stand stand);
void slot_publish_again(uint32_t id);
/* A hash of the numbers of all machines, in 64 bits. */
uint64_t slots_numbering(void);
/* Writes what all slots are to `out`, which has room for MACHINE_SLOTS. Returns how many there
 * are. */
uint32_t slots_stands(struct stand *out);
/* Whether no slot has changed since then except these, and no slot was added. */
bool slots_differ_only(const struct stand *before, uint32_t count, const uint32_t *ids,
                       uint32_t id_count);

/* The machine with that number; NULL if there is none yet. All slots are fresh. */
struct slot *slot_numbered(uint32_t number);
uint32_t slots_numbered(void); /* the number of machines */
/* The object that stands for the number of machines. */
static inline uint64_t numbers_object(void) {
    return (uint64_t)slot_of(MACHINE_SLOTS - 1);
}

/* --- what stands before a machine (machines/publish.c) --- */

/* Publishes the operation before which the machine stands. When the operation happens, its event
 * is the same, apart from its result. */
void machine_publish(struct slot *slot);
bool machine_ready(const struct slot *slot);

/* How the operation before which a machine stands, and whether it can move, depend on its queue. */
enum standing {
    STANDS_GONE,     /* the machine has halted */
    STANDS_ALIKE,    /* not at all */
    STANDS_TO_HALT,  /* the machine moves, and is there, only if an event waits */
    STANDS_FOR_ANY,  /* the machine takes the first event */
    STANDS_FOR_SOME, /* the machine takes the first event that fits */
};
enum standing machine_standing(const struct slot *slot);
/* The place of the action for an event. */
uint64_t machine_action_place(const struct machine *machine, const struct machine_event *event);

/* Whether a machine at rest can move, by its task. Most states differ from the one before in one
 * or two machines, so this is noted when a machine is published. A send that its receiver may
 * hold up also depends on the receiver. */
enum readiness { READY_NOT, READY_NOW, READY_BY_RECEIVER };
extern uint8_t machine_readiness[SESSION_TASKS_MAX];
bool machine_ready_at_rest(uint32_t id);
bool machines_stand(void); /* at rest: no machine can move */

/* The number of events that may wait at the receiver when one comes by this channel. */
uint32_t machine_most_at(const struct slot *to, const struct machine_channel *channel);
/* What happens to one event more. */
enum machine_full machine_full_at(const struct slot *to, const struct machine_channel *channel);
/* Describes the channel of a send for reductions. */
void machine_describe_channel(struct op *op, const struct slot *to,
                              const struct machine_channel *channel);
bool machine_numbers_by_order(void); /* numbers tell the order in which machines were created */

/* --- steps (machines/step.c) --- */

/* The table of a type (create.c). A wrong table is a finding. */
const struct machine_table *machine_table_of(const struct machine_type *type, uint64_t pc);
/* Within an action: creates a machine, which enters its first state in this step. Returns its
 * number (create.c). */
uint32_t machine_make(struct task *task, const struct machine_type *type, const void *memory,
                      uint64_t pc);
/* main becomes a machine that creates the first one, and does not go on (create.c). */
void machine_begin_first(struct task *task, const struct machine_table *table, const void *memory,
                         uint64_t pc);
/* From now on this machine, or monitor, acts. */
void machine_react_from(struct slot *slot, struct reaction *reaction);
/* Within an action: waits until one of these events is there. */
void machine_wait(struct task *task, const struct machine_event *const *events,
                  struct machine_message *message, void *payload, uint64_t pc);

/* After a step: looks whether this is the end of the program. */
void machine_look_for_end(void);
/* Ends the step of a machine that does not wait within an action. */
_Noreturn void machine_end_step(void);

/* --- how an action ends (machines/end.c) --- */

/* The reaction is over, and has asked for a halt. */
void machine_halts(struct slot *slot);
/* Publishes the operation of the end that is due. */
void machine_publish_end(struct slot *slot, const struct outgoing *end);
bool machine_end_ready(const struct slot *slot, const struct outgoing *end);
void machine_deliver_end(struct slot *slot, const struct outgoing *end, struct event *event);

/* Reports what is wrong with the running machine (rules.c). */
_Noreturn void machine_wrong(enum finding_kind kind, uint64_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The running machine is right, but asks for more than the tool can hold (rules.c). */
_Noreturn void machine_refuse(const char *call, uint64_t pc, const char *why);

/* The place where the program asks its reaction for something, during the call; else 0. */
extern uint64_t machine_asked_at;

/* The reaction that is under way, of a machine or of a monitor; else NULL. */
extern struct reaction *reacting;

/* --- monitors (machines/monitor.c) --- */

void monitors_reset(void);
uint32_t monitors_count(void);
uint32_t monitor_id(uint32_t number); /* the id of its slot */
void monitors_add(const struct machine_table *table, const void *memory, uint64_t pc);
/* The object that stands for all monitors, if one of them looks at the event; else 0. */
uint64_t monitors_of(const struct machine_event *event);
void monitors_see(const struct machine_event *event, const void *payload, uint32_t sender,
                  uint32_t receiver);
void monitors_end(void);
void monitors_start(void);

#endif
