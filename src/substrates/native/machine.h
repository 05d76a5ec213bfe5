/* machine.h - machines (heddle/machine.h) as tasks of the native substrate.
 *
 * From machine_start on the program is its machines, and native_system is machine_ops. A step of a
 * machine is one of these: to deliver the first entry of its outbox, or to take an event from its queue
 * and react to it. A reaction runs to its end in one step; what it sends waits in the outbox, and each
 * send is a step of its own. That is as good as stopping within the reaction: what an action does
 * between two sends concerns nobody else, since a machine's memory is its own (machine_access sees to
 * that). So between steps nothing is on a machine's stack, unless it stands in machine_receive or
 * machine_create: the number of a new machine says how many were created before it, so that is known only
 * when the creation comes.
 *
 * The last thing that a reaction can do does concern others: it halts, the program exits, an assumption
 * does not hold, something is wrong. So that is an entry of the outbox, too, behind all that was sent
 * before (machine_end.c).
 *
 * A machine is a slot: plain bytes at an address that depends on its number only. Saving a state copies
 * the used parts of all slots; its fingerprint is the sum of theirs, and of each only what changed is
 * hashed anew. */
#ifndef NATIVE_MACHINE_H
#define NATIVE_MACHINE_H

#include "machines/reaction.h"
#include "substrates/native/native.h"
#include "substrates/native/runtime.h"

enum {
    SLOT_OUTBOX = 320 << 10, /* where things stand in a slot: the queue ends here, */
    SLOT_NUMBERS = 360 << 10,
    SLOT_END = 384 << 10,
    OUTBOX_MAX = 32 << 10, /* bytes that one action may put into the outbox, beside its end */
    WANTED_MAX = MACHINE_RECEIVE_MAX,
    NOTHING_TO_TAKE = UINT32_MAX,
};

/* What a machine is. Then its memory, then its queue, without a gap: bytes to be hashed. */
struct slot {
    /* known by what follows, or of no interest to anybody's future */
    uint32_t id;
    uint32_t take;     /* where in the queue the event is that it takes next, or NOTHING_TO_TAKE */
    bool known;        /* it has been used, in whatever execution */
    bool changed;      /* since it was settled */
    uint32_t sequence; /* events ever sent to it */
    const struct machine_event *wanted[WANTED_MAX]; /* in machine_receive: what it waits for */

    /* the state */
    struct machine machine;
    uint32_t number; /* by which the program knows a machine: from 1 on, in the order of creation */
    uint32_t children;
    uint32_t queue_count, queue_bytes;
    uint32_t outbox_bytes;
    uint64_t
        context; /* in machine_receive, or before it creates: where it goes on, on its stack; else 0 */
    _Alignas(16) char memory[];
};

/* An event in a queue. */
struct message {
    const struct machine_event *event;
    uint32_t sender;
    uint32_t size; /* of what follows, rounded up */
    char payload[];
};

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
    /* the ends of an action: always the last entry */
    OUTGOING_HALT,
    OUTGOING_EXIT,    /* payload: the status */
    OUTGOING_STOP,    /* an assumption does not hold: it goes no further */
    OUTGOING_FINDING, /* payload: a struct finding, without its list of waiting tasks */
};

/* Something that an action has asked for and that is still to be done. */
struct outgoing {
    uint64_t pc;      /* of no interest to anybody's future */
    uint16_t kind;    /* enum outgoing_kind */
    bool again;       /* a send that was made before, and whose channel doubled it */
    uint32_t to;      /* the receiver, by its number, or the new machine, by its task */
    const void *what; /* a struct machine_event, or a struct machine_type */
    struct machine_channel channel;
    uint32_t size;
    char payload[]; /* or the new machine's memory */
};

extern const struct system_ops machine_ops;
extern const struct system_ops native_ops;
void native_run(struct system *self, uint32_t id);
enum outcome native_outcome(struct system *self);
uint32_t native_stack(struct system *self, uint32_t id, uint64_t pc, uint64_t *pcs, uint32_t max);
void native_unseen(struct system *self, void (*function)(void *context), void *context);

/* --- slots (machine_slot.c) --- */

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

/* As good as halted: it stands before its halt, and nobody can tell, since a queue in which nothing waits is
 * never full. The first event that comes brings it back, so that it can halt. */
static inline bool slot_halts_idly(struct slot *slot) {
    return slot->machine.halted && slot->outbox_bytes != 0 && slot->queue_count == 0 &&
           slot_outbox(slot)->kind == OUTGOING_HALT && rt.session->options.halted != HALTED_REPORT;
}

/* The numbers of the events in the queue: which of all that were sent to it. */
static inline uint32_t *slot_numbers(struct slot *slot) {
    return (uint32_t *)((char *)slot + SLOT_NUMBERS);
}

void slot_clear(struct slot *slot); /* nothing is left but its type */
void slot_begin(struct slot *slot, const struct machine_table *table, const void *memory);
/* Its last action is over: nothing is left of the machine but what it has still to send, and how many events
 * wait for it. */
void slot_finish(struct slot *slot);
/* It has halted: nothing is left but that. */
void slot_halt(struct slot *slot);
void slot_push(struct slot *slot, const struct machine_event *event, uint32_t sender,
               const void *payload);
/* Removes the message at `take` after copying it out; *number: which one it was. */
void slot_take(struct slot *slot, struct machine_message *message, void *payload, uint32_t *number);
/* Room at the end of the outbox, all zeros but for the size. */
struct outgoing *slot_send(struct slot *slot, size_t size);
bool slot_has_room(const struct slot *slot, size_t size); /* for another entry that is no end */
void slot_sent(struct slot *slot);                        /* the first of the outbox is done */
/* Whether it would take the event now. */
bool slot_takes(const struct slot *slot, const struct machine_event *event);

/* Where in the queue the event is that it takes next, or NOTHING_TO_TAKE. */
uint32_t slot_find_takable(struct slot *slot);

/* --- being at rest (machine_rest.c) --- */

void slots_reset(void);
void slot_make_known(uint32_t id);
void slot_touch(struct slot *slot); /* it has changed, or will */
/* What changed is looked at once more: then everything is at rest. */
void slots_settle(void);
/* At the end of an execution: all that are as good as halted have halted. */
void slots_halt_idle(void);
bool slots_write(struct image *image); /* false: there is no room for it */
void slots_read(struct image *image);
void slots_fingerprint(struct fingerprint *out);
/* The bytes of all slots are what they should be. They may not be after slots_read and slot_become. */
void slots_freshen(void);

/* By its id: the version that a slot is (machine_version.h), and making it another one, of another state. When all
 * slots are what they should be, what stands before each of these machines is published again. */
uint32_t slot_version(uint32_t id);
void slot_become(uint32_t id, uint32_t version);
void slot_publish_again(uint32_t id);
/* Which machine has which number, in 64 bits. */
uint64_t slots_numbering(void);
/* The versions of all slots, of which there is room for MACHINE_SLOTS; how many they are. */
uint32_t slots_versions(uint32_t *out);
/* Since then no slot has changed but these, and none has come. */
bool slots_differ_only(const uint32_t *before, uint32_t count, const uint32_t *ids,
                       uint32_t id_count);

/* The machine of that number; NULL if there is none yet. Slots are fresh. */
struct slot *slot_numbered(uint32_t number);
uint32_t slots_numbered(void); /* how many machines there are */
/* What stands for the count of machines, as an object. */
static inline uint64_t numbers_object(void) {
    return (uint64_t)slot_of(MACHINE_SLOTS - 1);
}

/* --- what stands before a machine (machine_publish.c) --- */

/* The operation before which it stands; its event, when it happens, is the same but for what came of it. */
void machine_publish(struct slot *slot);
bool machine_ready(const struct slot *slot);

/* Whether a machine at rest can move, by its task. Most states differ from the one before in one or two machines,
 * so this is noted when a machine is published. A send that its receiver may hold up depends on the receiver as
 * well. */
enum readiness { READY_NOT, READY_NOW, READY_BY_RECEIVER };
extern uint8_t machine_readiness[SESSION_TASKS];
bool machine_ready_at_rest(uint32_t id);
bool machines_stand(void); /* at rest: none of them can move */

/* So many events may wait at the receiver when one comes by this channel. */
uint32_t machine_most_at(const struct slot *to, const struct machine_channel *channel);
/* What becomes of one more. */
enum machine_full machine_full_at(const struct slot *to, const struct machine_channel *channel);
/* What reductions must know of a send. */
void machine_describe_channel(struct op *op, const struct slot *to,
                              const struct machine_channel *channel);
bool machine_numbers_by_order(void); /* numbers say in which order machines were created */

/* --- steps (machine_step.c) --- */

/* The table of a type; a wrong one is a finding. */
const struct machine_table *machine_table_of(const struct machine_type *type, uint64_t pc);
/* Within an action, a new machine, which enters its first state in this step; its number. */
uint32_t machine_make(struct task *task, const struct machine_type *type, const void *memory,
                      uint64_t pc);
/* main becomes what creates the first machine; it does not go on. */
void machine_begin_first(struct task *task, const struct machine_table *table, const void *memory,
                         uint64_t pc);
/* What follows is done by that machine, or monitor. */
void machine_react_from(struct slot *slot, struct reaction *reaction);
/* Within an action: until one of these events is there. */
void machine_wait(struct task *task, const struct machine_event *const *events,
                  struct machine_message *message, void *payload, uint64_t pc);

/* After a step: is that the end of the program? */
void machine_look_for_end(void);
/* Ends the step of a machine that does not stand within an action. */
_Noreturn void machine_end_step(void);

/* --- how an action ends (machine_end.c) --- */

/* The reaction is over, and has asked for a halt. */
void machine_halts(struct slot *slot);
/* The operation of the end that is due. */
void machine_publish_end(struct slot *slot, const struct outgoing *end);
bool machine_end_ready(const struct slot *slot, const struct outgoing *end);
void machine_deliver_end(struct slot *slot, const struct outgoing *end, struct event *event);

/* What is wrong with what the running machine does. */
_Noreturn void machine_wrong(enum finding_kind kind, uint64_t pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What the running machine does is right, but more than the tool can hold. */
_Noreturn void machine_refuse(const char *call, uint64_t pc, const char *why);

/* Where the program asks its reaction for something, while it does; else 0. */
extern uint64_t machine_asked_at;

/* Who runs; the reaction that is under way, of a machine or of a monitor. */
extern struct reaction *reacting;

/* --- monitors (machine_monitor.c) --- */

void monitors_reset(void);
uint32_t monitors_count(void);
uint32_t monitor_id(uint32_t number); /* of its slot */
void monitors_add(const struct machine_table *table, const void *memory, uint64_t pc);
/* The object that stands for all of them, if one looks at the event; else 0. */
uint64_t monitors_of(const struct machine_event *event);
void monitors_see(const struct machine_event *event, const void *payload, uint32_t sender,
                  uint32_t receiver);
void monitors_end(void);
void monitors_start(void);

#endif
